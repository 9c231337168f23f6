import { useMemo, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ToggleButton, ToggleButtonGroup } from '@backstage/ui';
import { RiTableLine } from '@remixicon/react';
import { ReadFailure } from '@slipway/app-react';
import {
  type ChartPoint,
  formatDay,
  formatDays,
  LoadingBlock,
  Panel,
  SeriesTable,
  TimeSeriesChart,
} from '@slipway/design-system';
import {
  DORA_METRICS,
  type DoraMetricName,
  type DoraSeriesResponse,
  METRIC_UNIT,
  type SeriesInterval,
} from '@slipway/plugin-delivery-lake-common';
import {
  COLORS,
  formatMetric,
  metricScale,
  type Rate,
} from '../../format/metricValue';
import { useSeries, type View } from '../../queries';
import { useLinks } from '../../routes';
import type { Scope } from '../../scope';
import { deliveryLakeTranslationRef, type Translate } from '../../translation';
import styles from './Overview.module.css';

const INTERVALS: SeriesInterval[] = ['day', 'week', 'month'];

/** Shows a chart per metric, with a choice of the interval. */
export function MetricCharts(props: {
  view: View;
  interval: SeriesInterval;
  onIntervalChange(interval: SeriesInterval): void;
}) {
  const { view, interval, onIntervalChange } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const series = useSeries(view.query, interval);
  return (
    <section className={styles.section} aria-label={t('chart.title')}>
      <div className={styles.sectionHead}>
        <h2>{t('chart.title')}</h2>
        <ToggleButtonGroup
          aria-label={t('chart.interval')}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[interval]}
          onSelectionChange={keys => {
            const chosen = INTERVALS.find(candidate => keys.has(candidate));
            if (chosen) {
              onIntervalChange(chosen);
            }
          }}
        >
          {INTERVALS.map(id => (
            <ToggleButton key={id} id={id} size="small">
              {t(`chart.${id}`)}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      </div>
      {series.error && (
        <ReadFailure
          title={t('chart.failed')}
          error={series.error}
          onRetry={() => series.refetch()}
        />
      )}
      {series.isPending && (
        <LoadingBlock label={t('chart.loading')} height={240} />
      )}
      {series.data && (
        <>
          <div className={styles.charts}>
            {DORA_METRICS.map(metric => (
              <MetricChart
                key={metric}
                metric={metric}
                series={series.data}
                scope={view.scope}
              />
            ))}
          </div>
          {series.data.points.some(p => p.partial || p.provisional) && (
            <p className={styles.legend}>{t('chart.legend')}</p>
          )}
        </>
      )}
    </section>
  );
}

const TITLES = {
  day: 'chart.byDay',
  week: 'chart.byWeek',
  month: 'chart.byMonth',
} as const;

/** Shows one metric over time, as a chart or a table. */
function MetricChart(props: {
  metric: DoraMetricName;
  series: DoraSeriesResponse;
  scope: Scope | undefined;
}) {
  const { metric, series, scope } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const links = useLinks();
  const [isTable, setIsTable] = useState(false);

  const scale = useMemo(() => {
    const values = series.points.map(point => point.metrics[metric].value ?? 0);
    return metricScale(t, metric, Math.max(0, ...values));
  }, [t, series, metric]);
  const points = useMemo(
    () => seriesPoints({ t, links, series, metric, scope, rate: scale.rate }),
    [t, links, series, metric, scope, scale],
  );

  const name = t(`metric.${metric}`);
  const label = t(TITLES[series.interval], { metric: name });
  const table = (
    <SeriesTable
      label={label}
      points={points}
      hidden={!isTable}
      columns={{
        time: t('chart.time'),
        value: t('chart.value'),
        notes: t('chart.notes'),
      }}
    />
  );
  return (
    <Panel
      title={label}
      action={
        <ToggleButton
          size="small"
          aria-label={t('chart.asTable')}
          isSelected={isTable}
          onChange={setIsTable}
          iconStart={<RiTableLine size={16} aria-hidden />}
        />
      }
    >
      {!isTable && (
        <TimeSeriesChart
          label={label}
          kind={METRIC_UNIT[metric] === 'hours' ? 'line' : 'bar'}
          points={points}
          ticks={scale.ticks}
          formatTick={scale.formatTick}
          color={COLORS[metric]}
        />
      )}
      {table}
    </Panel>
  );
}

type Links = ReturnType<typeof useLinks>;

/** Converts one metric of a series to the points of a chart. */
function seriesPoints(options: {
  t: Translate;
  links: Links;
  series: DoraSeriesResponse;
  metric: DoraMetricName;
  scope: Scope | undefined;
  /** The unit of frequencies. */
  rate?: Rate;
}): ChartPoint[] {
  const { t, links, series, metric, scope, rate } = options;
  const interval = t(`chart.${series.interval}`).toLocaleLowerCase('en');
  return series.points.map(point => {
    const { startDate, endDate } = point;
    const { value, samples } = point.metrics[metric];
    const notes = [
      samples > 0 && t(`samples.${metric}`, { count: samples }),
      point.partial && t('chart.partial', { interval }),
      point.provisional && t('chart.provisional'),
    ];
    return {
      id: point.start,
      label: formatDays({ startDate, endDate }),
      tick: formatDay(startDate),
      value,
      valueText: formatMetric(t, metric, value, rate),
      notes: notes.filter(note => note !== false),
      tentative: point.partial || point.provisional,
      href: behind(links, metric, { scope, period: { startDate, endDate } }),
    };
  });
}

/** Returns the URL of the page with the records behind a metric. */
function behind(
  links: Links,
  metric: DoraMetricName,
  filters: {
    scope: Scope | undefined;
    period: { startDate: string; endDate: string };
  },
): string {
  switch (metric) {
    case 'timeToRestoreService':
      return links.incidents({ ...filters, environment: 'prod' });
    case 'changeFailureRate':
    case 'failedDeploymentRecoveryTime':
      return links.deployments({ ...filters, failed: true });
    default:
      return links.deployments({ ...filters, environment: 'prod' });
  }
}
