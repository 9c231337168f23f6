import type {
  DoraMetric,
  DoraMetricName,
} from '@slipway/plugin-delivery-lake-common';
import type { TileChange } from '@slipway/design-system';
import type { Translate } from '../translation';
import { isMoreBetter } from './metricValue';

/**
 * What became of a metric since the preceding period of equal length;
 * undefined where there is no value to compare.
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
  const judgement = isUp === isMoreBetter(name) ? 'better' : 'worse';
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
    percent: new Intl.NumberFormat('en').format(percent),
    days: String(days),
  });
}
