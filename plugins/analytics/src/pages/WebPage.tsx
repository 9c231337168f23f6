import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select, Tag, TagGroup } from '@backstage/ui';
import { Loaded } from '@slipway/app-react';
import { LoadingBlock, Panel, useUrlFilters } from '@slipway/design-system';
import type { Project } from '../api/EventsApi';
import type { InsightQuery, TrendLine, WebMetric } from '../api/InsightQuery';
import { useInsight } from '../insightQueries';
import { dateRangeOf } from '../insights/insightForm';
import { PeriodFields } from '../insights/PeriodFields';
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
import {
  conditionsOf,
  DEFAULTS,
  groupingOf,
  type ListId,
  LISTS,
  nameOf,
  sinceStartOf,
  SOURCE_KINDS,
  sourceKindOf,
} from '../web/webLists';
import { MetricsSkeleton, WebMetrics } from '../web/WebMetrics';
import styles from '../analytics.module.css';

const PERIODS = ['-24h', '-7d', '-30d', '-90d'] as const;
const NOW_MS = 30_000;
const ROWS = 10;

/** The visitors of the chosen project's sites, their sources and the pages that they view. */
export function WebPage() {
  const { project } = useProject();
  return <WebOverview project={project} />;
}

/** Shows the visitors of a project's sites; the URL holds the period and the chosen values. */
export function WebOverview({ project }: { project: Project | undefined }) {
  const projectId = project?.id;
  const marks = marksIn(project?.timeZone ?? 'UTC', useMarks(projectId));
  const { t } = useTranslationRef(analyticsTranslationRef);
  const form = useUrlFilters(DEFAULTS);
  const { values, set, setAll } = form;
  const conditions = conditionsOf(values);
  const properties = conditions.map(key => ({ key, type: 'hogql' }));
  const testAccounts = useTestAccounts(project);
  const filterTestAccounts = testAccounts.isFiltered;
  const dateRange = dateRangeOf(values);
  const filters = properties.length > 0 ? { properties } : {};
  const overview: InsightQuery = {
    kind: 'WebOverviewQuery',
    dateRange,
    compareFilter: { compare: true },
    filterTestAccounts,
    ...filters,
  };
  const visitors: InsightQuery = {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: '$pageview', math: 'dau' }],
    interval: !values.from && values.period === '-24h' ? 'hour' : 'day',
    dateRange,
    filterTestAccounts,
    ...filters,
  };
  return (
    <div className={styles.stack}>
      <div className={styles.form} role="search">
        <PeriodFields form={form} periods={PERIODS} />
        <TestAccountSwitch choice={testAccounts} />
        {projectId && (
          <Now projectId={projectId} filterTestAccounts={filterTestAccounts} />
        )}
      </div>
      <ChosenValues values={values} onRemove={list => set(list, '')} />
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
        {LISTS.map(list => {
          const by = groupingOf(list, values);
          return (
            <TopList
              key={list}
              projectId={projectId}
              list={list}
              choice={
                list === 'sources' && (
                  <Select
                    className={styles.filter}
                    aria-label={t('web.sourceKind')}
                    size="small"
                    value={sourceKindOf(values)}
                    onChange={value =>
                      setAll({ sourceKind: String(value), sources: '' })
                    }
                    options={SOURCE_KINDS.map(value => ({
                      value,
                      label: t(`web.sourceKinds.${value}`),
                    }))}
                  />
                )
              }
              onChoose={value => set(list, value)}
              query={{
                select: [by, 'uniq(person_id)', 'count()'],
                event: '$pageview',
                where: [
                  `${by} is not null`,
                  ...sinceStartOf(values),
                  ...conditions,
                ],
                orderBy: ['uniq(person_id) desc'],
                after: 'all',
                filterTestAccounts,
                limit: ROWS,
              }}
            />
          );
        })}
      </div>
      <p className={styles.note}>{t('web.definition')}</p>
    </div>
  );
}

/** Shows the values that visits are filtered by, each of which can be removed. */
function ChosenValues(props: {
  values: Record<ListId, string>;
  onRemove(list: ListId): void;
}) {
  const { values, onRemove } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const chosen = LISTS.filter(list => values[list] !== '');
  if (chosen.length === 0) {
    return null;
  }
  return (
    <TagGroup
      aria-label={t('web.filters')}
      onRemove={keys => [...keys].forEach(key => onRemove(key as ListId))}
    >
      {chosen.map(list => {
        const text = `${t(`web.lists.${list}`)}: ${nameOf(list, values[list], t('web.direct'))}`;
        return (
          <Tag key={list} id={list} textValue={text}>
            {text}
          </Tag>
        );
      })}
    </TagGroup>
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
