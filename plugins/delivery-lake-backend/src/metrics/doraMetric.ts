import {
  DORA_METRICS,
  DoraMetric,
  DoraMetricName,
} from '@slipway/plugin-delivery-lake-common';
import { LevelOf } from './levels';
import {
  Figures,
  METRIC_UNIT,
  MetricValue,
  metricValues,
  rounded,
} from './metricValues';
import { trendOf } from './trend';

/** A record of every metric. */
export function mapMetrics<T>(
  make: (metric: DoraMetricName) => T,
): Record<DoraMetricName, T> {
  return Object.fromEntries(
    DORA_METRICS.map(metric => [metric, make(metric)]),
  ) as Record<DoraMetricName, T>;
}

function present(value: MetricValue): MetricValue {
  return { value: rounded(value.value), samples: value.samples };
}

/** The six metrics of a period as answers give them, judged and compared with the period before. */
export function doraMetrics(
  figures: { current: Figures; previous: Figures },
  levelOf: LevelOf,
): Record<DoraMetricName, DoraMetric> {
  const current = metricValues(figures.current);
  const previous = metricValues(figures.previous);
  return mapMetrics(metric => ({
    ...present(current[metric]),
    unit: METRIC_UNIT[metric],
    trend: trendOf(current[metric], previous[metric]),
    performance: levelOf(metric, current[metric]),
    previous: present(previous[metric]),
  }));
}
