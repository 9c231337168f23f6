import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ButtonLink, Tag, TagGroup } from '@backstage/ui';
import { Loaded } from '@slipway/app-react';
import {
  EmptyState,
  LoadingBlock,
  Panel,
  useUrlFilters,
} from '@slipway/design-system';
import type { Project } from '../api/EventsApi';
import type { InsightQuery, TrendLine, WebMetric } from '../api/InsightQuery';
import { useInsight } from '../insightQueries';
import { dateRangeOf } from '../insights/formQuery';
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
import { TopLists } from '../web/TopLists';
import {
  conditionsOf,
  DEFAULTS,
  type ListId,
  LISTS,
  nameOf,
} from '../web/webLists';
import { MetricsSkeleton, WebMetrics } from '../web/WebMetrics';
import styles from '../analytics.module.css';

const PERIODS = ['-24h', '-7d', '-30d', '-90d'] as const;
const NOW_MS = 30_000;

/** The visitors of the chosen project's sites, their sources and the pages that they view. */
export function WebPage() {
  const { project } = useProject();
  return <WebOverview project={project} />;
}

/** Shows the visitors of a project's sites; the URL contains the period and the chosen values. */
export function WebOverview({ project }: { project: Project | undefined }) {
  const projectId = project?.id;
  const marks = marksIn(project?.timeZone ?? 'UTC', useMarks(projectId));
  const { t } = useTranslationRef(analyticsTranslationRef);
  const form = useUrlFilters(DEFAULTS);
  const { values, set } = form;
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
  const numbers = useInsight<WebMetric>(projectId, overview);
  const isEmpty =
    conditions.length === 0 &&
    numbers.data?.some(({ key, value }) => key === 'views' && value === 0);
  const visitors: InsightQuery = {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: '$pageview', math: 'dau' }],
    interval: !values.from && values.period === '-24h' ? 'hour' : 'day',
    dateRange,
    filterTestAccounts,
    ...filters,
  };
  const overTime = useInsight<TrendLine>(projectId, visitors);
  return (
    <div className={styles.stack}>
      <div className={styles.form} role="search">
        <PeriodFields form={form} periods={PERIODS} project={project} />
        <TestAccountSwitch choice={testAccounts} />
        {projectId && (
          <Now projectId={projectId} filterTestAccounts={filterTestAccounts} />
        )}
      </div>
      <ChosenValues values={values} onRemove={list => set(list, '')} />
      <Loaded
        query={numbers}
        failed={t('web.failed')}
        loading={<MetricsSkeleton />}
      >
        {metrics => <WebMetrics metrics={metrics} />}
      </Loaded>
      {isEmpty ? (
        <EmptyState
          title={t('web.noneTitle')}
          description={t('web.noneDescription')}
          action={
            <ButtonLink
              variant="secondary"
              size="small"
              href={`/analytics/connect?project=${encodeURIComponent(projectId ?? '')}`}
            >
              {t('connect.title')}
            </ButtonLink>
          }
        />
      ) : (
        <>
          <Panel title={t('web.visitors')}>
            <Loaded
              query={overTime}
              failed={t('web.failed')}
              loading={<LoadingBlock label={t('web.loading')} height={220} />}
            >
              {lines => (
                <TrendCharts
                  isUntitled
                  lines={lines.map(line => ({
                    ...line,
                    label: t('web.visitors'),
                  }))}
                  marks={marks}
                  query={visitors}
                />
              )}
            </Loaded>
          </Panel>
          <TopLists
            projectId={projectId}
            form={form}
            filterTestAccounts={filterTestAccounts}
          />
          <p className={styles.note}>{t('web.definition')}</p>
        </>
      )}
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

/** Shows how many visitors there were in the last five minutes: people with a session. */
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
      {data && t('web.now', { count: Number(data.rows[0]?.[0] ?? 0) })}
    </p>
  );
}
