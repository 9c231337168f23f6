import { type ChartPoint, formatDay, formatDays } from '@slipway/design-system';
import type {
  DoraMetricName,
  DoraSeriesResponse,
} from '@slipway/plugin-delivery-lake-common';
import type { useDeliveryLinks } from '../../data/useDeliveryLinks';
import type { Scope } from '../../data/scope';
import { type Rate, formatMetric } from '../../format/metricValue';
import type { Translate } from '../../translation';

type Links = ReturnType<typeof useDeliveryLinks>;

/** One metric of a series as the points of a chart. */
export function seriesPoints(options: {
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

/** Page of what a metric is made of. */
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
