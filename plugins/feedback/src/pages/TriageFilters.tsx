import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { SavedViews, useSearched, useTitles } from '@slipway/app-react';
import {
  FilterBar,
  PeriodPicker,
  resolvePeriod,
  today,
  usePagedFilters,
} from '@slipway/design-system';
import {
  type FeedbackSummary,
  type PageOf,
  SENTIMENTS,
  STATUSES,
} from '../api/Feedback';
import { useOptions } from '../queries';
import { feedbackTranslationRef } from '../translation';

const RATINGS = ['1', '2', '3', '4', '5'];
const REPLIES = ['awaited'];

/**
 * Reads the filters and the page number of the triage list from the URL; an unknown value matches
 * anything.
 */
export function useTriageView() {
  const {
    filters,
    page: chosenPage,
    setPage,
  } = usePagedFilters({
    status: '',
    category: '',
    rating: '',
    sentiment: '',
    replies: '',
    voting: '',
    sort: 'newest',
    q: '',
    component: '',
    period: '',
  });
  const values = {
    ...filters.values,
    status: knownIn(STATUSES, filters.values.status),
    rating: knownIn(RATINGS, filters.values.rating),
    sentiment: knownIn(SENTIMENTS, filters.values.sentiment),
    replies: knownIn(REPLIES, filters.values.replies),
  };
  const { period: periodText, ...narrowing } = values;
  const period = resolvePeriod(periodText, today());
  const { page, ...query } = useSearched({
    ...narrowing,
    ...period,
    page: chosenPage,
  });
  return { filters: { ...filters, values }, period, query, page, setPage };
}

function knownIn(known: readonly string[], value: string): string {
  return known.includes(value) ? value : '';
}

/** Renders the filters of the triage list. */
export function TriageFilters(props: {
  view: ReturnType<typeof useTriageView>;
  found?: PageOf<FeedbackSummary>;
}) {
  const { view, found } = props;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { data: options } = useOptions();
  const { component } = view.filters.values;
  const titleOf = useTitles(component === '' ? [] : [component]);
  return (
    <FilterBar
      filters={view.filters}
      search={{ key: 'q', label: t('triage.search') }}
      selects={[
        // Set by links from a component, and shown only so that it can be removed.
        ...(component === ''
          ? []
          : [
              {
                key: 'component' as const,
                label: t('detail.component'),
                anyLabel: t('list.anyComponent'),
                options: [
                  {
                    value: component,
                    label: titleOf(component),
                  },
                ],
              },
            ]),
        {
          key: 'status',
          label: t('list.status'),
          anyLabel: t('list.anyStatus'),
          options: STATUSES.map(value => ({
            value,
            label: t(`status.${value}`),
          })),
        },
        {
          key: 'replies',
          label: t('list.replies'),
          anyLabel: t('list.anyReplies'),
          options: REPLIES.map(value => ({
            value,
            label: t('thread.awaitsReply'),
          })),
        },
        {
          key: 'voting',
          label: t('voting.region'),
          anyLabel: t('votes.anyVoting'),
          options: [{ value: 'open', label: t('votes.showOpen') }],
        },
        {
          key: 'sort',
          label: t('votes.order'),
          isRequired: true,
          options: [
            { value: 'newest', label: t('votes.newest') },
            { value: 'votes', label: t('votes.mostVotes') },
          ],
        },
        {
          key: 'sentiment',
          label: t('list.sentiment'),
          anyLabel: t('list.anySentiment'),
          options: SENTIMENTS.map(value => ({
            value,
            label: t(`sentiment.${value}`),
          })),
        },
        {
          key: 'category',
          label: t('list.category'),
          anyLabel: t('list.anyCategory'),
          options: (options?.categories ?? []).map(value => ({
            value,
            label: value,
          })),
        },
        {
          key: 'rating',
          label: t('list.rating'),
          anyLabel: t('list.anyRating'),
          options: RATINGS.map(value => ({
            value,
            label: t('list.stars', { rating: value }),
          })),
        },
      ]}
      count={
        found && {
          shown: found.items.length,
          total: found.total,
          noun: [t('list.nounOne'), t('list.nounMany')],
        }
      }
    >
      <PeriodPicker
        value={view.filters.values.period}
        period={view.period}
        onChange={value => view.filters.set('period', value)}
      />
      <SavedViews list="feedback" />
    </FilterBar>
  );
}
