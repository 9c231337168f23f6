/** The kinds of the table `durations`. */
export const DURATION_KIND = { lead: 1, restore: 2, recovery: 3 } as const;
export type DurationKind = (typeof DURATION_KIND)[keyof typeof DURATION_KIND];

const BUCKETS_PER_DOUBLING = 32;

/**
 * Bucket of a duration in a logarithmic histogram whose buckets are about 2.2 %
 * wide: monotonic, so that the bucket that holds a rank can be found from counts
 * alone and only its few values have to be looked at.
 *
 * @param milliseconds - not negative.
 */
export function durationBucket(milliseconds: number): number {
  return Math.floor(Math.log2(milliseconds + 1) * BUCKETS_PER_DOUBLING);
}
