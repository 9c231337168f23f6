import {
  type ChartScale,
  durationScale,
  METRIC_COLORS,
  numberScale,
} from '@slipway/design-system';
import {
  type DoraMetricName,
  METRIC_UNIT,
} from '@slipway/plugin-delivery-lake-common';
import type { Translate } from '../translation';
import { HOUR_MS, inRate, type Rate, rateFor } from './metricValue';

/** The scale of a metric's chart, in the unit of the API. */
export interface MetricScale extends ChartScale {
  /** The unit of all frequencies in the chart. */
  rate?: Rate;
}

/** Returns a scale with round steps in the unit that fits the largest value. */
export function metricScale(
  t: Translate,
  metric: DoraMetricName,
  max: number,
): MetricScale {
  switch (METRIC_UNIT[metric]) {
    case 'hours':
      return durationScale(max, HOUR_MS);
    case 'percent':
      return numberScale(max, { write: figure => `${figure}%` });
    default: {
      const rate = rateFor(max);
      return {
        ...numberScale(max, {
          per: 1 / inRate(1, rate),
          write: value => t(`value.${rate}`, { value }),
        }),
        rate,
      };
    }
  }
}

/** Numbers of the chart colours of the metrics, in tiles and charts. */
export const COLORS: Readonly<Record<DoraMetricName, number>> = {
  deploymentFrequency: METRIC_COLORS.deploymentFrequency,
  leadTimeForChanges: METRIC_COLORS.leadTime,
  changeFailureRate: METRIC_COLORS.changeFailureRate,
  timeToRestoreService: METRIC_COLORS.timeToRestore,
  failedDeploymentRecoveryTime: METRIC_COLORS.recoveryTime,
  deploymentReworkRate: METRIC_COLORS.reworkRate,
};
