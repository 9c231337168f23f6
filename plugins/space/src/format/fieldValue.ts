import {
  type ChartScale,
  durationScale,
  formatDuration,
  numberScale,
  type TileChange,
} from '@slipway/design-system';
import type { FieldName } from '../api/SpaceApi';
import type { Translate } from '../translation';
import { FIELD, type Unit } from './fields';

const HOUR_MS = 3_600_000;

const signed = new Intl.NumberFormat('en', {
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});
const share = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** A number in at most three digits or so. */
export function formatNumber(value: number): string {
  return new Intl.NumberFormat('en', {
    maximumFractionDigits: Math.abs(value) >= 100 ? 0 : 1,
  }).format(value);
}

/** A value of a field with its unit, in words. */
export function formatField(
  t: Translate,
  name: FieldName,
  value: number,
): string {
  switch (FIELD[name].unit) {
    case 'rating':
      return t('value.rating', { value: value.toFixed(1) });
    case 'score':
      return signed.format(value);
    case 'perWeek':
      return t('value.perWeek', { value: formatNumber(value) });
    case 'days':
      return t('value.days', {
        // As it is written: 1.04 reads as 1.
        count: Math.round(value * 10) / 10,
        value: formatNumber(value),
      });
    case 'hours':
      return formatDuration(value * HOUR_MS);
    case 'share':
      return t('value.percent', { value: share.format(value * 100) });
    case 'index':
      return t('value.index', { value: formatNumber(value) });
    default:
      return formatNumber(value);
  }
}

/** The scale of a field's chart: with its own ends, or from 0 in the unit that fits `max`. */
export function fieldScale(name: FieldName, max: number): ChartScale {
  const { unit, ticks } = FIELD[name];
  if (ticks) {
    return { ticks, formatTick: value => formatEnd(unit, value) };
  }
  return unit === 'hours'
    ? durationScale(max, HOUR_MS)
    : numberScale(max, { whole: unit === 'count' });
}

function formatEnd(unit: Unit, value: number): string {
  switch (unit) {
    case 'score':
      return signed.format(value);
    case 'share':
      return `${share.format(value * 100)}%`;
    default:
      return formatNumber(value);
  }
}

/** What a number rests on: "12 answers"; undefined where the number says so itself. */
export function samplesText(
  t: Translate,
  name: FieldName,
  count: number,
): string | undefined {
  const { basis } = FIELD[name];
  return basis && t(`samples.${basis}`, { count });
}

const MINUTE_MS = 60_000;

/** Lost time as it is told: "0 min", "45 min", "6 h 30 min". */
export function formatMinutes(minutes: number): string {
  return minutes === 0 ? '0 min' : formatDuration(minutes * MINUTE_MS);
}

/**
 * What became of a number since the preceding period of equal length; undefined
 * where that has none to compare with.
 *
 * @param days - length of the periods.
 */
export function describeChange(
  t: Translate,
  name: FieldName,
  options: { value: number; before: number | null | undefined; days: number },
): TileChange | undefined {
  const { value, before } = options;
  const days = String(options.days);
  // The values of a period come without their samples: 0 may be that nothing was measured.
  if (!before) {
    return undefined;
  }
  const amount = amountOf(name, value, before);
  if (amount.text === '0') {
    const text = t('change.same', { days });
    return { text, direction: 'none', judgement: 'neutral' };
  }
  const isUp = value > before;
  const change = t(`change.${amount.kind}.${isUp ? 'up' : 'down'}`, {
    amount: amount.text,
    days,
  });
  const direction = isUp ? 'up' : 'down';
  const { better } = FIELD[name];
  if (better === 'neither') {
    return { text: change, direction, judgement: 'neutral' };
  }
  const judgement = isUp === (better === 'higher') ? 'better' : 'worse';
  return { text: t(`change.${judgement}`, { change }), direction, judgement };
}

/** Words a change: for scales with ends the difference, for all others the share of the value before. */
function amountOf(
  name: FieldName,
  value: number,
  before: number,
): { kind: 'points' | 'time' | 'percent'; text: string } {
  const difference = Math.abs(value - before);
  switch (FIELD[name].unit) {
    case 'rating':
    case 'score':
    case 'index':
      return { kind: 'points', text: formatNumber(difference) };
    case 'share':
      return { kind: 'points', text: formatNumber(difference * 100) };
    default: {
      const percent = Math.round((difference / Math.abs(before)) * 100);
      const kind = FIELD[name].unit === 'hours' ? 'time' : 'percent';
      return { kind, text: formatNumber(percent) };
    }
  }
}
