import { changeOf, type Scale } from '@slipway/entity-contract';
import {
  type ChartScale,
  durationScale,
  formatDuration,
  formatNumber,
  formatPercent,
  numberScale,
  type TileChange,
} from '@slipway/design-system';
import type { DimensionReport, FieldName } from '../api/SpaceApi';
import type { Translate } from '../translation';
import { FIELD, type Unit } from './fields';

const HOUR_MS = 3_600_000;

const signed = new Intl.NumberFormat('en', {
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});

/** Formats a value of a field with its unit. */
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
        // Rounded like the displayed value, so that 1.04 is treated as 1.
        count: Math.round(value * 10) / 10,
        value: formatNumber(value),
      });
    case 'hours':
      return formatDuration(value * HOUR_MS);
    case 'share':
      return formatPercent(value * 100);
    case 'index':
      return t('value.index', { value: formatNumber(value) });
    default:
      return formatNumber(value);
  }
}

/** Returns the scale of a field's chart: a fixed scale, or one from 0 in the unit that fits `max`. */
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
      return formatPercent(value * 100);
    default:
      return formatNumber(value);
  }
}

/**
 * Formats the number of samples behind a value: "12 answers"; undefined if the value itself is the
 * count.
 */
export function samplesText(
  t: Translate,
  name: FieldName,
  count: number,
): string | undefined {
  const { basis } = FIELD[name];
  return basis && t(`samples.${basis}`, { count });
}

const MINUTE_MS = 60_000;

/** Formats lost time: "0 min", "45 min", "6 h 30 min". */
export function formatMinutes(minutes: number): string {
  return minutes === 0 ? '0 min' : formatDuration(minutes * MINUTE_MS);
}

/** The scales of units for which a change is judged by points instead of percent. */
const SCALES: Partial<Record<Unit, Scale>> = {
  rating: 'rating',
  score: 'score',
  index: 'load',
  share: 'share',
};

/**
 * Describes the change of a number since the preceding period of equal length; undefined if
 * there is no earlier value.
 *
 * @param options.days - length of the periods.
 * @param options.weeks - the weeks that totals of the two periods cover.
 */
export function describeChange(
  t: Translate,
  name: FieldName,
  options: {
    value: number;
    before: number | null | undefined;
    days: number;
    weeks: DimensionReport['weeks'];
  },
): TileChange | undefined {
  const { value, weeks } = options;
  const share =
    FIELD[name].isTotal && weeks.previous > 0
      ? weeks.current / weeks.previous
      : 1;
  const before = options.before && options.before * share;
  const days = String(options.days);
  // Earlier values have no samples: except for a score, 0 may mean that nothing was measured.
  const isUnclear = before === 0 && FIELD[name].unit !== 'score';
  if (before === null || before === undefined || isUnclear) {
    return undefined;
  }
  const amount = amountOf(name, value, before);
  const step = changeOf({
    value,
    previous: before,
    scale: SCALES[FIELD[name].unit] ?? 'ratio',
  });
  if (step === 0 || amount.text === '0') {
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

/**
 * Formats a change: as the difference for fixed scales, otherwise as a percentage of the previous
 * value.
 */
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
