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
import type { InsightQuery } from '../api/InsightQuery';
import type { Actor, ActorsSource } from '../api/PeopleApi';
import type { SelectedNumber } from '../insights/selection';
import {
  formatStart,
  nameOfValues,
  useValueWords,
} from '../insights/valueNames';
import { personName } from '../pages/displayText';
import { useActors } from '../peopleQueries';
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
  const title = useTitle(selected);
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
  const find = (text: string) => {
    setSearch(text);
    setPage(1);
  };
  return (
    <div className={styles.stack}>
      {!countsUsers(of) && (
        <p className={styles.text}>{t('actors.distinct')}</p>
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
        columns={columnsOf(t, {
          projectId,
          countsEvents: of.source.kind === 'TrendsQuery',
        })}
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
  options: { projectId: string; countsEvents: boolean },
): DataColumn<Actor>[] {
  const { projectId, countsEvents } = options;
  return [
    {
      id: 'name',
      label: t('people.name'),
      text: personName,
      cell: actor => <ActorName projectId={projectId} actor={actor} />,
    },
    { id: 'id', label: t('actors.id'), width: '35%', cell: ({ id }) => id },
    ...(countsEvents
      ? [
          {
            id: 'events',
            label: t('actors.events'),
            isNumber: true,
            width: 80,
            cell: ({ events }: Actor) => formatNumber(events ?? 0),
          },
        ]
      : []),
  ];
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
 * Tells whether a number is that of different users, not of events nor an average; the result of a
 * formula is never selected.
 */
function countsUsers({ source, series = 0 }: ActorsSource): boolean {
  return (
    source.kind !== 'TrendsQuery' ||
    (OF_USERS.has(source.series?.[series]?.math ?? 'total') &&
      (source.trendsFilter?.smoothingIntervals ?? 1) === 1)
  );
}

/** Returns the name of a number: its event and interval, its step, or its row. */
function useTitle(selected: SelectedNumber): string {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const words = useValueWords();
  const { of } = selected;
  const value = of.breakdown ?? of.funnelStepBreakdown;
  const valueName = value === undefined ? [] : [nameOfValues(value, words)];
  return [nameOfNumber(selected, t), ...valueName].join(', ');
}

function nameOfNumber({ of, date }: SelectedNumber, t: Translate): string {
  const { source: query } = of;
  switch (query.kind) {
    case 'FunnelsQuery': {
      const { funnelStep = 1 } = of;
      const step = Math.abs(funnelStep);
      const name = eventOf(query, step - 1, t);
      return t(funnelStep > 0 ? 'actors.reached' : 'actors.dropped', {
        step: String(step),
        name,
      });
    }
    case 'RetentionQuery': {
      const { returnInterval: later = 0 } = of;
      const { period = 'Day' } = query.retentionFilter ?? {};
      const start = date
        ? t('actors.started', { date: formatStart(date) })
        : t('actors.startedAny');
      return later === 0
        ? start
        : t('actors.returned', { start, period: `${period} ${later}` });
    }
    default: {
      const event = eventOf(query, of.series ?? 0, t);
      const start = date ?? (of.day === undefined ? undefined : `${of.day}`);
      const name = [event, ...(start ? [formatStart(start)] : [])].join(', ');
      return of.compare === 'previous' ? t('actors.previous', { name }) : name;
    }
  }
}

function eventOf({ series }: InsightQuery, index: number, t: Translate) {
  return series?.[index]?.event || t('live.anyEvent');
}
