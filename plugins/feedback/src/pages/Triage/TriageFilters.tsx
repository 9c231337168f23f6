import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { FilterBar, PeriodPicker } from '@slipway/design-system';
import {
  type FeedbackSummary,
  type PageOf,
  SENTIMENTS,
  STATUSES,
} from '../../api/types';
import { useOptions } from '../../data/useFeedback';
import { feedbackTranslationRef } from '../../translation';
import type { useTriageView } from './useTriageView';

const RATINGS = ['1', '2', '3', '4', '5'];

/** What the list is narrowed to. */
export function TriageFilters(props: {
  view: ReturnType<typeof useTriageView>;
  found?: PageOf<FeedbackSummary>;
}) {
  const { view, found } = props;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { data: options } = useOptions();
  return (
    <FilterBar
      filters={view.filters}
      search={{ key: 'q', label: t('triage.search') }}
      selects={[
        {
          key: 'status',
          label: t('list.status'),
          anyLabel: t('list.status'),
          options: STATUSES.map(value => ({
            value,
            label: t(`status.${value}`),
          })),
        },
        {
          key: 'sentiment',
          label: t('list.sentiment'),
          anyLabel: t('list.sentiment'),
          options: SENTIMENTS.map(value => ({
            value,
            label: t(`sentiment.${value}`),
          })),
        },
        {
          key: 'category',
          label: t('list.category'),
          anyLabel: t('list.category'),
          options: (options?.categories ?? []).map(value => ({
            value,
            label: value,
          })),
        },
        {
          key: 'rating',
          label: t('list.rating'),
          anyLabel: t('list.rating'),
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
    </FilterBar>
  );
}
