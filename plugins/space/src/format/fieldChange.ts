import type { TileChange } from '@slipway/design-system';
import type { FieldName } from '../api/types';
import type { Translate } from '../translation';
import { FIELD } from './fields';
import { formatNumber } from './fieldValue';

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
