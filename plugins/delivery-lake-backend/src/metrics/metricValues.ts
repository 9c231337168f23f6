import {
  DoraMetric,
  DoraMetricName,
} from '@slipway/plugin-delivery-lake-common';
import { Counts } from './counts';
import { Period } from './period';

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;

/** Medians in milliseconds; null without samples. */
export interface Medians {
  lead: number | null;
  restore: number | null;
  recovery: number | null;
}

/** All that the metrics of some services in one period are made of. */
export interface Figures {
  period: Period;
  counts: Counts;
  medians: Medians;
}

/** A metric unrounded; 0 without samples. */
export interface MetricValue {
  value: number;
  samples: number;
}

/** The unit of every metric. */
export const METRIC_UNIT: Record<DoraMetricName, DoraMetric['unit']> = {
  deploymentFrequency: 'deploys/week',
  leadTimeForChanges: 'hours',
  changeFailureRate: 'percent',
  timeToRestoreService: 'hours',
  failedDeploymentRecoveryTime: 'hours',
  deploymentReworkRate: 'percent',
};

function hours(milliseconds: number | null, samples: number): MetricValue {
  return milliseconds === null
    ? { value: 0, samples: 0 }
    : { value: milliseconds / HOUR, samples };
}

function percent(part: number, whole: number): MetricValue {
  return { value: whole === 0 ? 0 : (100 * part) / whole, samples: whole };
}

/** The six metrics, as the plugin's README defines them. */
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

/** As answers give numbers: at most four decimals. */
export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
