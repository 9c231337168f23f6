import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { QueryTable } from '@slipway/app-react';
import {
  type DataColumn,
  EmptyState,
  FilterBar,
  formatNumber,
  Pager,
  SidePanel,
} from '@slipway/design-system';
import { Link } from 'react-router-dom';
import type { Actor, ActorsSource } from '../api/PeopleApi';
import type { SelectedNumber } from '../insights/selection';
import { personName } from '../pages/displayText';
import { useActors } from '../peopleQueries';
import { useActorsTitle } from './actorsTitle';
import { ExportActors } from './ExportActors';
import { analyticsTranslationRef, type Translate } from '../translation';
import styles from '../analytics.module.css';

const PER_PAGE = 50;

/** Ways of counting whose numbers are those of different users. */
const OF_USERS: ReadonlySet<string> = new Set([
  'dau',
  'monthly_active',
  'weekly_active',
]);

/** Lists the users behind a number of an insight, with links to their pages. */
export function ActorsPanel(props: {
  projectId: string;
  selected: SelectedNumber;
  onClose(): void;
}) {
  const { projectId, selected, onClose } = props;
  const { of } = selected;
  const title = useActorsTitle(selected);
  return (
    <SidePanel title={title} onClose={onClose}>
      <Actors
        // The list of another number starts with its first page.
        key={JSON.stringify(of)}
        projectId={projectId}
        of={of}
        title={title}
      />
    </SidePanel>
  );
}

function Actors(props: { projectId: string; of: ActorsSource; title: string }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { projectId, of, title } = props;
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const query = useActors(projectId, of, {
    search,
    limit: PER_PAGE,
    offset: (page - 1) * PER_PAGE,
  });
  const { data } = query;
  const counted = countedIn(of, t);
  const find = (text: string) => {
    setSearch(text);
    setPage(1);
  };
  return (
    <div className={styles.stack}>
      {!countsUsers(of) && (
        <p className={styles.text}>
          {t(
            of.source.kind === 'PathsQuery'
              ? 'actors.distinctOfVisits'
              : 'actors.distinct',
          )}
        </p>
      )}
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
        query={query}
        rowsOf={({ actors }) => actors}
        rowId={({ id }) => id}
        columns={columnsOf(t, { projectId, counted })}
        loading={t('actors.loading')}
        failed={t('actors.failed')}
        empty={
          search ? (
            <p role="status">{t('actors.none')}</p>
          ) : (
            <EmptyState
              title={t('actors.emptyTitle')}
              description={t('actors.emptyDescription')}
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
        />
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

/** Returns the word for what is counted of each user; undefined if nothing is. */
function countedIn({ source }: ActorsSource, t: Translate): string | undefined {
  switch (source.kind) {
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
  const search = new URLSearchParams({ project: projectId, user: actor.id });
  return actor.hasProfile ? (
    <Link to={`/analytics/users?${search}`}>{name}</Link>
  ) : (
    <span title={t('actors.noProfile')}>{name}</span>
  );
}

/**
 * Tells whether a number is that of different users, not of events or visits nor an average; the
 * result of a formula is never selected.
 */
function countsUsers({ source, series = 0 }: ActorsSource): boolean {
  if (source.kind === 'PathsQuery') {
    return false;
  }
  return (
    source.kind !== 'TrendsQuery' ||
    (OF_USERS.has(source.series?.[series]?.math ?? 'total') &&
      (source.trendsFilter?.smoothingIntervals ?? 1) === 1)
  );
}
