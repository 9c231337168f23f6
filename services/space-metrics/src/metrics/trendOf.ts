import type { Field, Reading } from './Dimension.ts';

export type Trend = 'improving' | 'stable' | 'declining';

/**
 * Whether things got better: each field that rests on something in both periods is
 * compared, in the direction that is good for it, and more of them decide. Changes
 * within the dead band of a field are none.
 */
export function trendOf(
  fields: readonly Field[],
  readings: { current: Reading; previous: Reading },
): Trend {
  const score = fields.reduce(
    (sum, field) => sum + directionOf(field, readings),
    0,
  );
  if (score === 0) {
    return 'stable';
  }
  return score > 0 ? 'improving' : 'declining';
}

/** 1 for better, -1 for worse, 0 for neither or for nothing to compare. */
function directionOf(
  { name, sample, better, deadBand }: Field,
  { current, previous }: { current: Reading; previous: Reading },
): number {
  const now = current.values[name];
  const before = previous.values[name];
  const comparable =
    current.samples[sample] > 0 && previous.samples[sample] > 0;
  if (typeof now !== 'number' || typeof before !== 'number' || !comparable) {
    return 0;
  }
  const band =
    'absolute' in deadBand
      ? deadBand.absolute
      : deadBand.share * Math.abs(before);
  if (Math.abs(now - before) <= band) {
    return 0;
  }
  return now > before === (better === 'higher') ? 1 : -1;
}
