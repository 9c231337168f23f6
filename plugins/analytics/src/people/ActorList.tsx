import { type ReactNode, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { QueryTable } from '@slipway/app-react';
import {
  type DataColumn,
  EmptyState,
  FilterBar,
  formatNumber,
  Pager,
} from '@slipway/design-system';
import { Link, useLocation } from 'react-router-dom';
import type { Actor, PeopleSource } from '../api/PeopleApi';
import { personName } from '../pages/displayText';
import { useActors } from '../peopleQueries';
import { analyticsTranslationRef, type Translate } from '../translation';
import { ExportActors } from './ExportActors';
import styles from '../analytics.module.css';

const PER_PAGE = 50;
const USERS = '/analytics/users';

/** Lists the users that a number of an insight or filters select, in pages. */
export function ActorList(props: {
  projectId: string;
  of: PeopleSource;
  /** The name of the table. */
  title: string;
  /** Returns the actions shown next to the export. */
  actions?(shown: { search: string; total: number }): ReactNode;
  /** Explains why there are no users; by default, a text about the filters or the number. */
  emptyText?: string;
  /** A column with an action for each user. */
  action?: DataColumn<Actor>;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { projectId, of, title, actions, action, emptyText } = props;
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const query = useActors(projectId, of, {
    search,
    limit: PER_PAGE,
    offset: (page - 1) * PER_PAGE,
  });
  const { data } = query;
  // The page no longer exists, so the pager moves to the last one; until then, show that it loads.
  const isPastEnd = data?.actors.length === 0 && data.total > 0;
  const counted = countedIn(of, t);
  const find = (text: string) => {
    setSearch(text);
    setPage(1);
  };
  return (
    <div className={styles.stack}>
      <FilterBar
        filters={{
          values: { search },
          set: (_, text) => find(text),
          clear: () => find(''),
          isActive: search !== '',
        }}
        search={{ key: 'search', label: t('actors.search') }}
        count={
          data && {
            shown: data.total,
            total: data.total,
            noun: [t('people.nounOne'), t('people.nounMany')],
          }
        }
      />
      <QueryTable
        tellsOutdated
        label={title}
        query={isPastEnd ? { ...query, data: undefined } : query}
        rowsOf={({ actors }) => actors}
        rowId={({ id }) => id}
        columns={[
          ...columnsOf(t, { projectId, counted }),
          ...(action ? [action] : []),
        ]}
        loading={t('actors.loading')}
        failed={t('actors.failed')}
        empty={
          search ? (
            <p role="status">{t('actors.none')}</p>
          ) : (
            <EmptyState
              title={t('actors.emptyTitle')}
              description={
                emptyText ??
                t(
                  of.kind === 'filters'
                    ? 'cohorts.noUsers'
                    : 'actors.emptyDescription',
                )
              }
            />
          )
        }
      />
      {data && data.total > 0 && (
        <ExportActors
          projectId={projectId}
          of={of}
          search={search}
          total={data.total}
          counted={counted}
        >
          {actions?.({ search, total: data.total })}
        </ExportActors>
      )}
      {data && (
        <Pager
          label={t('actors.pages')}
          page={page}
          perPage={PER_PAGE}
          total={data.total}
          onChange={setPage}
        />
      )}
    </div>
  );
}

function columnsOf(
  t: Translate,
  options: { projectId: string; counted: string | undefined },
): DataColumn<Actor>[] {
  const { projectId, counted } = options;
  return [
    {
      id: 'name',
      label: t('people.name'),
      text: personName,
      cell: actor => <ActorName projectId={projectId} actor={actor} />,
    },
    { id: 'id', label: t('actors.id'), width: '35%', cell: ({ id }) => id },
    ...(counted
      ? [
          {
            id: 'events',
            label: counted,
            isNumber: true,
            width: 80,
            cell: ({ events }: Actor) => formatNumber(events ?? 0),
          },
        ]
      : []),
  ];
}

/** Returns the word for the things counted per user; undefined if none are. */
function countedIn(of: PeopleSource, t: Translate): string | undefined {
  if (of.kind === 'filters') {
    return t('actors.events');
  }
  switch (of.source.kind) {
    case 'TrendsQuery':
      return t('actors.events');
    case 'PathsQuery':
      return t('insight.visits');
    default:
      return undefined;
  }
}

function ActorName(props: { projectId: string; actor: Actor }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { projectId, actor } = props;
  const name = personName(actor);
  const { pathname, search: current } = useLocation();
  // Keep the filters if this is already the list of all users.
  const isThere = pathname === USERS;
  const search = new URLSearchParams(
    isThere ? current : { project: projectId },
  );
  search.set('user', actor.id);
  return actor.hasProfile ? (
    <Link to={`${USERS}?${search}`}>{name}</Link>
  ) : (
    <span title={t('actors.noProfile')}>{name}</span>
  );
}
