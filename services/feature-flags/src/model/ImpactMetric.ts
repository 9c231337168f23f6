/** The type of an impact metric. */
export type ImpactKind = 'counter' | 'gauge' | 'histogram';

/** The samples of an application, summed over a minute. */
export interface ImpactRecord {
  /** A name that is valid in Prometheus: letters, digits and `_`. */
  readonly name: string;
  readonly environment: string;
  /** The minute; milliseconds since the Unix epoch. */
  readonly startsAt: number;
  readonly kind: ImpactKind;
  /** The labels as JSON, sorted by name. */
  readonly labels: string;
  readonly sum: number;
  /** The number of samples, or of the observations of a histogram. */
  readonly count: number;
  readonly last: number;
  /** Ascending upper bounds of a histogram, with the number of observations at or below each. */
  readonly buckets: readonly ImpactBucket[];
}

export interface ImpactBucket {
  /** Null for no upper bound. */
  readonly le: number | null;
  readonly count: number;
}

/** Sums two records of the same series and minute; `other` is the later one. */
export function addRecords(
  one: ImpactRecord,
  other: ImpactRecord,
): ImpactRecord {
  return {
    ...other,
    sum: one.sum + other.sum,
    count: one.count + other.count,
    buckets: addBuckets(one.buckets, other.buckets),
  };
}

/** Sums buckets; returns `other`, the later ones, if the bounds differ. */
export function addBuckets(
  one: readonly ImpactBucket[],
  other: readonly ImpactBucket[],
): readonly ImpactBucket[] {
  const isSame =
    one.length === other.length &&
    one.every(({ le }, index) => le === other[index].le);
  return isSame
    ? other.map(({ le, count }, index) => ({
        le,
        count: count + one[index].count,
      }))
    : other;
}
