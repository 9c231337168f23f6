import { DoraMetricName, Trend } from '@slipway/plugin-delivery-lake-common';
import { MetricValue } from './metricValues';

const DEAD_BAND = 0.1;

/** Keeps a change of exactly the dead band inside it, however its numbers were rounded. */
const TOLERANCE = 1e-9;

/** Direction of a value against the same over the period before. */
export function trendOf(current: MetricValue, previous: MetricValue): Trend {
  if (current.samples === 0 || previous.samples === 0) {
    return 'stable';
  }
  const change = current.value - previous.value;
  if (Math.abs(change) <= previous.value * DEAD_BAND * (1 + TOLERANCE)) {
    return 'stable';
  }
  return change > 0 ? 'increasing' : 'decreasing';
}

/** Whether more of a metric is better. */
export function moreIsBetter(metric: DoraMetricName): boolean {
  return metric === 'deploymentFrequency';
}

/** Whether a metric goes the wrong way. */
export function isWorsening(metric: DoraMetricName, trend: Trend): boolean {
  return trend === (moreIsBetter(metric) ? 'decreasing' : 'increasing');
}
