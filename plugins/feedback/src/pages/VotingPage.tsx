import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ButtonLink, Link } from '@backstage/ui';
import {
  isMissing,
  Loaded,
  QueryTable,
  useSearchedWords,
} from '@slipway/app-react';
import {
  type DataColumn,
  Details,
  EmptyState,
  FilterBar,
  isPastEnd,
  ListAndPanel,
  LoadingRows,
  Pager,
  RelativeTime,
  SidePanel,
  useFocusNearby,
  usePagedFilters,
} from '@slipway/design-system';
import { useRef } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import type { Ballot } from '../api/Feedback';
import { StatusMark } from '../components/FeedbackFacts';
import { VoteButton } from '../components/VoteButton';
import styles from '../feedback.module.css';
import { useBallot, useBallots, useOptions } from '../queries';
import { useLinks } from '../routes';
import { feedbackTranslationRef, type Translate } from '../translation';

/** Lists the feedback that is open for voting, with buttons to vote. */
export function VotingPage() {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const links = useLinks();
  const navigate = useNavigate();
  const { '*': id } = useParams();
  const [parameters] = useSearchParams();
  const search = parameters.size > 0 ? `?${parameters}` : '';
  const { data: options } = useOptions();
  const { filters, page, setPage } = usePagedFilters({
    q: '',
    category: '',
    voted: '',
    sort: 'votes',
  });
  const q = useSearchedWords(filters.values.q);
  const query = useBallots({ ...filters.values, q }, page);
  const { data } = query;
  return (
    <>
      <FilterBar
        filters={filters}
        search={{ key: 'q', label: t('votes.search') }}
        selects={[
          {
            key: 'voted',
            label: t('votes.show'),
            anyLabel: t('votes.showOpen'),
            options: [{ value: 'true', label: t('votes.showVoted') }],
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
            key: 'sort',
            label: t('votes.order'),
            isRequired: true,
            options: [
              { value: 'votes', label: t('votes.mostVotes') },
              { value: 'newest', label: t('votes.newest') },
            ],
          },
        ]}
        count={
          data && {
            shown: data.items.length,
            total: data.total,
            noun: [t('list.nounOne'), t('list.nounMany')],
          }
        }
      />
      <ListAndPanel
        panel={
          id && (
            <BallotPanel
              key={id}
              id={id}
              onClose={() => navigate(links.voting(undefined, search))}
            />
          )
        }
      >
        <QueryTable
          label={t('votes.label')}
          query={
            data && isPastEnd(data.page, data.items)
              ? { ...query, data: undefined }
              : query
          }
          rowsOf={({ items }) => items}
          failed={t('list.failed')}
          rowId={ballot => ballot.id}
          selectedId={id}
          columns={columnsOf(t, ballot => links.voting(ballot.id, search))}
          loading={t('list.loading')}
          empty={
            filters.isActive ? (
              <EmptyState
                title={t('votes.noMatchTitle')}
                description={t('votes.noMatchDescription')}
              />
            ) : (
              <EmptyState
                title={t('votes.emptyTitle')}
                description={t('votes.emptyDescription')}
                action={
                  options?.mayTriage && (
                    <ButtonLink variant="secondary" href={links.triage()}>
                      {t('votes.emptyTriage')}
                    </ButtonLink>
                  )
                }
              />
            )
          }
        />
        {data && <Pager {...data} label={t('page.title')} onChange={setPage} />}
      </ListAndPanel>
    </>
  );
}

/** Returns the columns. The title is the link, and takes up the remaining width. */
function columnsOf(
  t: Translate,
  hrefOf: (ballot: Ballot) => string,
): DataColumn<Ballot>[] {
  return [
    {
      id: 'title',
      label: t('votes.title'),
      text: ({ title }) => title,
      cell: (ballot, { isNarrow }) => (
        <span className={styles.entry}>
          <Link href={hrefOf(ballot)} className={styles.excerpt}>
            {ballot.title}
          </Link>
          {isNarrow && (
            <span className={styles.quiet}>
              {t(`status.${ballot.status}`)} · {ballot.category}
            </span>
          )}
        </span>
      ),
    },
    {
      id: 'votes',
      label: t('votes.votes'),
      width: 136,
      csv: ({ votes }) => votes,
      cell: ballot => <VoteButton ballot={ballot} />,
    },
    {
      id: 'status',
      label: t('list.status'),
      width: 116,
      from: 'sm',
      cell: ({ status }) => <StatusMark status={status} />,
    },
    {
      id: 'category',
      label: t('list.category'),
      width: 136,
      from: 'sm',
      beside: false,
      cell: ({ category }) => category,
    },
    {
      id: 'opened',
      label: t('votes.opened'),
      width: 136,
      from: 'md',
      beside: false,
      cell: ({ openedAt }) => <RelativeTime value={openedAt} />,
    },
  ];
}

/** Shows the public part of one entry. */
function BallotPanel({ id, onClose }: { id: string; onClose(): void }) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const links = useLinks();
  const query = useBallot(id);
  // Only voters can see a closed entry: withdrawing the vote makes it disappear.
  const data = isMissing(query.error) ? undefined : query.data;
  const facts = useRef<HTMLDivElement>(null);
  useFocusNearby(facts);
  return (
    <SidePanel
      title={data?.category ?? t('list.message')}
      status={data && <StatusMark status={data.status} />}
      onClose={onClose}
    >
      <div ref={facts} className={styles.facts}>
        <Loaded
          query={{ ...query, data }}
          failed={t('list.failed')}
          loading={<LoadingRows label={t('list.loading')} rows={4} />}
          missing={
            <EmptyState
              title={t('detail.missingTitle')}
              description={t('votes.missing')}
            />
          }
        >
          {ballot => (
            <>
              <p className={styles.message}>{ballot.title}</p>
              {ballot.note && (
                <section aria-label={t('votes.note')}>
                  <p className={styles.quiet}>
                    {t('votes.note')} ·{' '}
                    <RelativeTime value={ballot.note.writtenAt} />
                  </p>
                  <p className={styles.message}>{ballot.note.text}</p>
                </section>
              )}
              <VoteButton ballot={ballot} />
              <p className={styles.quiet}>
                {t(ballot.isOpen ? 'votes.help' : 'votes.closed')}
              </p>
              <Details
                items={[
                  { label: t('list.category'), value: ballot.category },
                  {
                    label: t('votes.opened'),
                    value: <RelativeTime value={ballot.openedAt} />,
                  },
                  ...(ballot.mergedInto
                    ? [
                        {
                          label: t('votes.merged'),
                          value: (
                            <Link href={links.voting(ballot.mergedInto)}>
                              {ballot.mergedTitle ?? t('votes.mergedInto')}
                            </Link>
                          ),
                        },
                      ]
                    : []),
                ]}
              />
            </>
          )}
        </Loaded>
      </div>
    </SidePanel>
  );
}
