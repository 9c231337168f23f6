import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select } from '@backstage/ui';
import { Loaded } from '@slipway/app-react';
import {
  DataTable,
  EmptyState,
  formatDuration,
  LoadingBlock,
  LoadingRows,
  Panel,
  Skeletons,
  Tile,
  type TileChange,
  useUrlFilters,
} from '@slipway/design-system';
import type { EventsQuery, Project } from '../api/EventsApi';
import type { InsightQuery, TrendLine, WebMetric } from '../api/InsightQuery';
import { useInsight } from '../insightQueries';
import { Bar } from '../insights/FunnelChart';
import { TrendCharts } from '../insights/TrendCharts';
import { formatCount } from '../insights/valueNames';
import { marksIn, useMarks } from '../marks/useMarks';
import { useProject } from '../projectQueries';
import { useAnswer } from '../queries';
import { TestAccountSwitch } from '../testAccounts/TestAccountSwitch';
import { useTestAccounts } from '../testAccounts/useTestAccounts';
import { analyticsTranslationRef } from '../translation';
import styles from '../analytics.module.css';

const PERIODS = ['-24h', '-7d', '-30d', '-90d'] as const;
const NOW_MS = 30_000;
const ROWS = 10;

/** Numbers, and texts of 16 or more hexadecimal digits and hyphens, such as UUIDs. */
const IDS = "'/([0-9]+|[0-9a-fA-F-]{16,})/', '/:id/'";

/**
 * Returns an expression for a path whose ids are replaced, so that `/orders/1` and `/orders/2` are
 * one page. Ids that follow each other share a slash, hence the second pass.
 */
function withoutIds(path: string): string {
  const once = `replaceRegexpAll(concat(${path}, '/'), ${IDS})`;
  return `replaceRegexpOne(replaceRegexpAll(${once}, ${IDS}), '/$', '')`;
}

/** The lists of the page: what to group by, and which events to count. */
const LISTS = [
  { id: 'sources', by: "coalesce(properties.$referring_domain, '$direct')" },
  {
    id: 'pages',
    by: withoutIds(
      'coalesce(properties.$pathname, path(properties.$current_url))',
    ),
  },
  { id: 'devices', by: 'properties.$device_type' },
  { id: 'browsers', by: 'properties.$browser' },
] as const;

/** Returns the filter for a period as insights read it: in whole days, or in whole hours. */
function sinceStartOf(period: string): string {
  const count = period.slice(1, -1);
  return period.endsWith('h')
    ? `timestamp >= toStartOfHour(now() - interval ${count} hour)`
    : `timestamp >= toStartOfDay(now() - interval ${count} day)`;
}

/** Labels by PostHog's names of metrics. */
const METRICS = new Map([
  ['visitors', 'web.metrics.visitors'],
  ['views', 'web.metrics.views'],
  ['sessions', 'web.metrics.sessions'],
  ['session duration', 'web.metrics.session_duration'],
  ['bounce rate', 'web.metrics.bounce_rate'],
] as const);

/** The visitors of the chosen project's sites, their sources and the pages that they view. */
export function WebPage() {
  const { project } = useProject();
  return <WebOverview project={project} />;
}

/** Shows the visitors of a project's sites; the URL holds the period. */
export function WebOverview({ project }: { project: Project | undefined }) {
  const projectId = project?.id;
  const marks = marksIn(project?.timeZone ?? 'UTC', useMarks(projectId));
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { values, set } = useUrlFilters({ period: '-7d' });
  const testAccounts = useTestAccounts(project);
  const filterTestAccounts = testAccounts.isFiltered;
  const dateRange = { date_from: values.period };
  const overview: InsightQuery = {
    kind: 'WebOverviewQuery',
    dateRange,
    compareFilter: { compare: true },
    filterTestAccounts,
  };
  const visitors: InsightQuery = {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: '$pageview', math: 'dau' }],
    interval: values.period === '-24h' ? 'hour' : 'day',
    dateRange,
    filterTestAccounts,
  };
  return (
    <div className={styles.stack}>
      <div className={styles.form} role="search">
        <Select
          label={t('trends.period')}
          size="small"
          value={values.period}
          onChange={value => set('period', String(value))}
          options={PERIODS.map(value => ({
            value,
            label: t(`trends.periods.${value}`),
          }))}
        />
        <TestAccountSwitch choice={testAccounts} />
        {projectId && <Now projectId={projectId} />}
      </div>
      <Loaded
        query={useInsight<WebMetric>(projectId, overview)}
        failed={t('web.failed')}
        loading={<MetricsSkeleton />}
      >
        {metrics => <Metrics metrics={metrics} />}
      </Loaded>
      <Panel title={t('web.visitors')}>
        <Loaded
          query={useInsight<TrendLine>(projectId, visitors)}
          failed={t('web.failed')}
          loading={<LoadingBlock label={t('web.loading')} height={220} />}
        >
          {lines => (
            <TrendCharts
              lines={lines.map(line => ({ ...line, label: t('web.visitors') }))}
              marks={marks}
            />
          )}
        </Loaded>
      </Panel>
      <div className={styles.tiles}>
        {LISTS.map(({ id, by }) => (
          <TopList
            key={id}
            projectId={projectId}
            title={t(`web.lists.${id}`)}
            query={{
              select: [by, 'uniq(person_id)', 'count()'],
              event: '$pageview',
              where: [`${by} is not null`, sinceStartOf(values.period)],
              orderBy: ['uniq(person_id) desc'],
              after: 'all',
              filterTestAccounts,
              limit: ROWS,
            }}
          />
        ))}
      </div>
      <p className={styles.note}>{t('web.definition')}</p>
    </div>
  );
}

/** Shows how many people viewed something in the last five minutes. */
function Now({ projectId }: { projectId: string }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { data } = useAnswer(
    projectId,
    { select: ['uniq(person_id)'], after: '-5M' },
    { refetchInterval: NOW_MS },
  );
  return (
    <p className={styles.now} role="status">
      {t('web.now', { people: String(data?.rows[0]?.[0] ?? 0) })}
    </p>
  );
}

function Metrics({ metrics }: { metrics: readonly WebMetric[] }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  return (
    <div className={styles.metrics}>
      {metrics.map(metric => {
        const label = METRICS.get(metric.key as 'visitors');
        return (
          <Tile
            key={metric.key}
            label={label ? t(label) : metric.key}
            value={valueOf(metric)}
            isEmpty={metric.value === null}
            change={changeOf(metric, t('web.compared'))}
          />
        );
      })}
    </div>
  );
}

/** Placeholder for the tiles, in their layout. */
function MetricsSkeleton() {
  const { t } = useTranslationRef(analyticsTranslationRef);
  return (
    <Skeletons label={t('web.loading')}>
      <div className={styles.metrics}>
        {[...METRICS].map(([key, label]) => (
          <Tile
            key={key}
            label={t(label)}
            value="–"
            isEmpty
            change={{ text: '–', direction: 'none', judgement: 'neutral' }}
          />
        ))}
      </div>
    </Skeletons>
  );
}

function valueOf({ value, kind }: WebMetric): string {
  if (value === null) {
    return '–';
  }
  switch (kind) {
    case 'duration_s':
      return formatDuration(value * 1_000);
    case 'percentage':
      return `${Math.round(value)}%`;
    default:
      return formatCount(value);
  }
}

function changeOf(
  { changeFromPreviousPct: change, isIncreaseBad }: WebMetric,
  compared: string,
): TileChange | undefined {
  if (change === null) {
    return undefined;
  }
  const text = `${Math.abs(change)}% ${compared}`;
  if (change === 0) {
    return { text, direction: 'none', judgement: 'neutral' };
  }
  return {
    text,
    direction: change > 0 ? 'up' : 'down',
    judgement: change > 0 !== isIncreaseBad ? 'better' : 'worse',
  };
}

function TopList(props: {
  projectId: string | undefined;
  title: string;
  query: EventsQuery;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { projectId, title, query } = props;
  return (
    <Panel title={title} padded={false}>
      <Loaded
        query={useAnswer(projectId, query)}
        failed={t('web.failed')}
        loading={<LoadingRows label={t('web.loading')} rows={5} />}
      >
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState
              title={t('web.emptyTitle')}
              description={t('web.emptyDescription')}
            />
          ) : (
            <DataTable<{ name: string; people: number; views: number }>
              isPlain
              label={title}
              rows={rows.map(([name, people, views]) => ({
                name: name === '$direct' ? t('web.direct') : String(name),
                people: Number(people),
                views: Number(views),
              }))}
              rowId={({ name }) => name}
              columns={[
                {
                  id: 'name',
                  label: title,
                  text: ({ name }) => name,
                  cell: ({ name }) => name,
                },
                {
                  id: 'share',
                  label: t('insight.share'),
                  from: 'sm',
                  cell: ({ people }) => (
                    <Bar part={people} whole={sumOf(rows)} />
                  ),
                },
                {
                  id: 'people',
                  label: t('web.visitors'),
                  isNumber: true,
                  width: 96,
                  cell: ({ people }) => formatCount(people),
                },
                {
                  id: 'views',
                  label: t('web.metrics.views'),
                  isNumber: true,
                  width: 96,
                  from: 'xs',
                  cell: ({ views }) => formatCount(views),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}

/** Adds up the visitors of all rows of a list. */
function sumOf(rows: readonly (readonly unknown[])[]): number {
  return rows.reduce((sum, [, people]) => sum + Number(people), 0);
}
