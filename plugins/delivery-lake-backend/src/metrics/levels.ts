import {
  DoraMetricName,
  Performance,
} from '@slipway/plugin-delivery-lake-common';
import { LevelThresholds } from '../config';
import { MetricValue, METRIC_UNIT } from './metricValues';

/** Gives a metric its level. */
export type LevelOf = (
  metric: DoraMetricName,
  value: MetricValue,
) => Performance;

const LEVELS = ['elite', 'high', 'medium'] as const;

/** Whether a value is as good as a level asks: at least (rates of deploying), at most (percent), less than (hours). */
function reaches(
  metric: DoraMetricName,
  value: number,
  threshold: number,
): boolean {
  switch (METRIC_UNIT[metric]) {
    case 'deploys/week':
      return value >= threshold;
    case 'percent':
      return value <= threshold;
    default:
      return value < threshold;
  }
}

/** Levels by a table of thresholds. Without samples: low. */
export function tableLevels(
  thresholds: Record<DoraMetricName, LevelThresholds>,
): LevelOf {
  return (metric, { value, samples }) => {
    if (samples === 0) {
      return 'low';
    }
    const level = LEVELS.find(name =>
      reaches(metric, value, thresholds[metric][name]),
    );
    return level ?? 'low';
  };
}
