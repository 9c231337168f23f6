import { niceTicks } from '@slipway/design-system';
import type { DoraMetricName } from '@slipway/plugin-delivery-lake-common';
import type { Translate } from '../translation';
import {
  formatNumber,
  inRate,
  type Rate,
  rateFor,
  unitOf,
} from './metricValue';

/** The scale of a metric's chart. */
export interface MetricScale {
  /** Steps in the unit of the interface. */
  ticks: number[];
  formatTick(value: number): string;
  /** The one in which all frequencies of the chart are told. */
  rate?: Rate;
}

const MINUTES = { per: 1 / 60, unit: 'min' };
const HOURS = { per: 1, unit: 'h' };
const DAYS = { per: 24, unit: 'd' };

/** A scale whose steps are round in the unit that fits the largest value. */
export function metricScale(
  t: Translate,
  metric: DoraMetricName,
  max: number,
): MetricScale {
  switch (unitOf(metric)) {
    case 'hours': {
      const { per, unit } =
        [DAYS, HOURS, MINUTES].find(candidate => max >= 2 * candidate.per) ??
        MINUTES;
      return {
        ticks: niceTicks(max / per).map(tick => tick * per),
        formatTick: value => `${formatNumber(value / per)} ${unit}`,
      };
    }
    case 'percent':
      return {
        ticks: niceTicks(max),
        formatTick: value => t('value.percent', { value: formatNumber(value) }),
      };
    default: {
      const rate = rateFor(max);
      const factor = inRate(1, rate);
      return {
        ticks: niceTicks(max * factor).map(tick => tick / factor),
        formatTick: value =>
          t(`value.${rate}`, { value: formatNumber(value * factor) }),
        rate,
      };
    }
  }
}
