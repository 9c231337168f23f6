import { formatDuration } from '@slipway/design-system';
import type { FieldName } from '../api/types';
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

/** A step of a field's scale, short. */
export function formatTick(unit: Unit, value: number): string {
  switch (unit) {
    case 'score':
      return signed.format(value);
    case 'share':
      return `${share.format(value * 100)}%`;
    case 'hours':
      return value < 48
        ? `${formatNumber(value)} h`
        : `${formatNumber(value / 24)} d`;
    default:
      return formatNumber(value);
  }
}
