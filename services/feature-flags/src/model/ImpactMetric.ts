/** What an impact metric counts or measures. */
export type ImpactKind = 'counter' | 'gauge' | 'histogram';

/** What an application has measured, added up over a minute. */
export interface ImpactRecord {
  /** A name that Prometheus takes: letters, digits and `_`. */
  readonly name: string;
  readonly environment: string;
  /** The minute; milliseconds since the Unix epoch. */
  readonly startsAt: number;
  readonly kind: ImpactKind;
  /** JSON of the labels, in the order of their names. */
  readonly labels: string;
  readonly sum: number;
  /** The number of samples; for a histogram that of its observations. */
  readonly count: number;
  readonly last: number;
  /** Upper bounds and how many observations are at or below each, rising; for a histogram alone. */
  readonly buckets: readonly ImpactBucket[];
}

export interface ImpactBucket {
  /** Null is without bound. */
  readonly le: number | null;
  readonly count: number;
}

/** Adds two records of one series and minute, the second one later. */
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

/** Adds buckets up; of those with other bounds the later ones count. */
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
