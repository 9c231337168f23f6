/** The scale of a number, which determines how large a change has to be to count. */
export type Scale =
  /** A count, a duration or a rate: more than a tenth of the previous value. */
  | 'ratio'
  /** From -100 to 100, or from 0 to 100: more than 5 points. */
  | 'score'
  /** From 1 to 5: more than 0.1. */
  | 'rating'
  /** From 0 to 100, for task load: more than 3 points. */
  | 'load'
  /** From 0 to 1: more than 0.02. */
  | 'share';

const POINTS: Readonly<Record<Exclude<Scale, 'ratio'>, number>> = {
  score: 5,
  rating: 0.1,
  load: 3,
  share: 0.02,
};

const SHARE = 0.1;

/** Absorbs rounding errors, so that a change of exactly the threshold does not count. */
const TOLERANCE = 1e-9;

/**
 * Compares a number with that of the previous period: 1 for higher, -1 for lower, 0 for about the
 * same. The whole product uses this rule.
 */
export function changeOf(options: {
  value: number;
  previous: number;
  scale?: Scale;
}): -1 | 0 | 1 {
  const { value, previous, scale = 'ratio' } = options;
  const band = scale === 'ratio' ? SHARE * Math.abs(previous) : POINTS[scale];
  const change = value - previous;
  if (Math.abs(change) <= band * (1 + TOLERANCE)) {
    return 0;
  }
  return change > 0 ? 1 : -1;
}
