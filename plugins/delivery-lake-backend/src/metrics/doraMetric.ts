import { changeOf } from '@slipway/entity-contract';
import {
  DORA_METRICS,
  DoraMetric,
  DoraMetricName,
  METRIC_UNIT,
  moreIsBetter,
  Performance,
  Trend,
} from '@slipway/plugin-delivery-lake-common';
import { LevelThresholds } from '../config';
import { Period } from '../days/period';
import { Counts } from '../derivation/Counts';

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;

/** Medians in milliseconds; null without samples. */
export interface Medians {
  lead: number | null;
  restore: number | null;
  recovery: number | null;
}

/** The figures from which the metrics of some services in one period are computed. */
export interface Figures {
  period: Period;
  counts: Counts;
  medians: Medians;
}

/** An unrounded metric; 0 without samples. */
interface MetricValue {
  value: number;
  samples: number;
}

function hours(milliseconds: number | null, samples: number): MetricValue {
  return milliseconds === null
    ? { value: 0, samples: 0 }
    : { value: milliseconds / HOUR, samples };
}

function percent(part: number, whole: number): MetricValue {
  return { value: whole === 0 ? 0 : (100 * part) / whole, samples: whole };
}

/** Computes the six metrics as defined in the plugin's README. */
export function metricValues(
  figures: Figures,
): Record<DoraMetricName, MetricValue> {
  const { counts, medians, period } = figures;
  const { deployments } = counts;
  const weeks = (period.end - period.start) / WEEK;
  return {
    deploymentFrequency: {
      value: deployments === 0 ? 0 : deployments / weeks,
      samples: deployments,
    },
    leadTimeForChanges: hours(medians.lead, counts.changes),
    changeFailureRate: percent(counts.failed, deployments),
    timeToRestoreService: hours(medians.restore, counts.restores),
    failedDeploymentRecoveryTime: hours(medians.recovery, counts.recoveries),
    deploymentReworkRate: percent(counts.rework, deployments),
  };
}

/** Rounds to the four decimals of responses. */
export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

const TRENDS = ['decreasing', 'stable', 'increasing'] as const;

/** Returns the direction of a value compared with the previous period. */
export function trendOf(current: MetricValue, previous: MetricValue): Trend {
  if (current.samples === 0 || previous.samples === 0) {
    return 'stable';
  }
  const change = changeOf({ value: current.value, previous: previous.value });
  return TRENDS[change + 1];
}

/** Returns whether a metric is getting worse. */
export function isWorsening(metric: DoraMetricName, trend: Trend): boolean {
  return trend === (moreIsBetter(metric) ? 'decreasing' : 'increasing');
}

/** Assigns a level to a metric. */
export type LevelOf = (
  metric: DoraMetricName,
  value: MetricValue,
) => Performance;

const LEVELS = ['elite', 'high', 'medium'] as const;

/**
 * Returns whether a value reaches a level: it is at least (deployment frequency), at most (percent)
 * or less than (hours) the threshold.
 */
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

/** Returns levels by a table of thresholds; `low` without samples. */
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

/** Maps every metric to a value. */
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

/** Presents the six metrics of a period with their levels and trends. */
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
