import {
  type ChartScale,
  daysIn,
  durationScale,
  formatDuration,
  formatNumber,
  formatPercent,
  METRIC_COLORS,
  numberScale,
  type TileChange,
} from '@slipway/design-system';
import {
  DORA_METRICS,
  type DoraMetric,
  type DoraMetricName,
  type DoraMetricsResponse,
  METRIC_UNIT,
  moreIsBetter,
} from '@slipway/plugin-delivery-lake-common';
import type { Translate } from '../translation';

/** Milliseconds per hour. */
const HOUR_MS = 3_600_000;
const RATES = {
  perDay: 1 / 7,
  perWeek: 1,
  perMonth: 30 / 7,
} as const;

/** The unit of a frequency. */
export type Rate = keyof typeof RATES;

/** Returns the best unit for a frequency per week: "2 per day", "3.2 per week", "1.4 per month". */
function rateFor(perWeek: number): Rate {
  if (perWeek >= 10) {
    return 'perDay';
  }
  return perWeek >= 1 || perWeek === 0 ? 'perWeek' : 'perMonth';
}

/** Converts a frequency per week to one per day, week or month. */
function inRate(perWeek: number, rate: Rate): number {
  return perWeek * RATES[rate];
}

/**
 * Formats a value with its unit.
 *
 * @param value - in the unit of the API; null if there is none.
 * @param rate - the unit of a frequency; defaults to the best one.
 */
export function formatMetric(
  t: Translate,
  metric: DoraMetricName,
  value: number | null,
  rate?: Rate,
): string {
  if (value === null) {
    return t('value.none');
  }
  switch (METRIC_UNIT[metric]) {
    case 'hours':
      return formatDuration(value * HOUR_MS);
    case 'percent':
      return formatPercent(value);
    default: {
      const chosen = rate ?? rateFor(value);
      return t(`value.${chosen}`, {
        value: formatNumber(inRate(value, chosen)),
      });
    }
  }
}

/**
 * Describes the change of a metric since the preceding period of equal length; undefined if
 * there is no value to compare.
 *
 * @param days - length of the periods.
 */
export function describeChange(
  t: Translate,
  name: DoraMetricName,
  metric: DoraMetric,
  days: number,
): TileChange | undefined {
  if (metric.samples === 0) {
    return undefined;
  }
  const { trend, value, previous } = metric;
  if (previous.samples === 0 && previous.value === 0) {
    const text = t('change.noPrevious', { days: String(days) });
    return { text, direction: 'none', judgement: 'neutral' };
  }
  if (trend === 'stable') {
    const text = t('change.stable', { days: String(days) });
    return { text, direction: 'none', judgement: 'neutral' };
  }
  const isUp = trend === 'increasing';
  const judgement = isUp === moreIsBetter(name) ? 'better' : 'worse';
  const change = describe(t, {
    name,
    isUp,
    value,
    before: previous.value,
    days,
  });
  return {
    text: t(`change.${judgement}`, { change }),
    direction: isUp ? 'up' : 'down',
    judgement,
  };
}

/**
 * Returns the names of the metrics that {@link describeChange} considers worse, as the tiles do.
 */
export function worseOf(t: Translate, response: DoraMetricsResponse): string[] {
  const { metrics, beyond, period } = response;
  const all: Record<DoraMetricName, DoraMetric> = { ...beyond, ...metrics };
  return DORA_METRICS.filter(
    name =>
      describeChange(t, name, all[name], daysIn(period))?.judgement === 'worse',
  ).map(name => t(`metric.${name}`));
}

function describe(
  t: Translate,
  options: {
    name: DoraMetricName;
    isUp: boolean;
    value: number;
    before: number;
    days: number;
  },
): string {
  const { name, isUp, value, before, days } = options;
  if (before === 0) {
    return t('change.fromZero', { days: String(days) });
  }
  const percent = Math.round((Math.abs(value - before) / before) * 100);
  return t(`change.${isUp ? 'higher' : 'lower'}.${name}`, {
    percent: formatNumber(percent),
    days: String(days),
  });
}

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
