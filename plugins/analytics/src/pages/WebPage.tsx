import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select } from '@backstage/ui';
import { Loaded } from '@slipway/app-react';
import { LoadingBlock, Panel, useUrlFilters } from '@slipway/design-system';
import type { Project } from '../api/EventsApi';
import type { InsightQuery, TrendLine, WebMetric } from '../api/InsightQuery';
import { useInsight } from '../insightQueries';
import { TrendCharts } from '../insights/TrendCharts';
import { marksIn, useMarks } from '../marks/useMarks';
import { useProject } from '../projectQueries';
import { useAnswer } from '../queries';
import {
  TestAccountSwitch,
  useTestAccounts,
} from '../testAccounts/TestAccountSwitch';
import { analyticsTranslationRef } from '../translation';
import { TopList } from '../web/TopList';
import { MetricsSkeleton, WebMetrics } from '../web/WebMetrics';
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
          className={styles.filter}
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
        {projectId && (
          <Now projectId={projectId} filterTestAccounts={filterTestAccounts} />
        )}
      </div>
      <Loaded
        query={useInsight<WebMetric>(projectId, overview)}
        failed={t('web.failed')}
        loading={<MetricsSkeleton />}
      >
        {metrics => <WebMetrics metrics={metrics} />}
      </Loaded>
      <Panel title={t('web.visitors')}>
        <Loaded
          query={useInsight<TrendLine>(projectId, visitors)}
          failed={t('web.failed')}
          loading={<LoadingBlock label={t('web.loading')} height={220} />}
        >
          {lines => (
            <TrendCharts
              isUntitled
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

/** Shows how many people had a session, as visitors do, in the last five minutes. */
function Now(props: { projectId: string; filterTestAccounts: boolean }) {
  const { projectId, filterTestAccounts } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { data } = useAnswer(
    projectId,
    {
      select: ['uniq(person_id)'],
      // Events that servers send are not visits.
      where: ['properties.$session_id is not null'],
      after: '-5M',
      filterTestAccounts,
    },
    { refetchInterval: NOW_MS },
  );
  return (
    <p className={styles.now} role="status">
      {t('web.now', { count: Number(data?.rows[0]?.[0] ?? 0) })}
    </p>
  );
}
