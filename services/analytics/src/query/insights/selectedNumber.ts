import { fault } from '../faults.ts';
import type { Expression, Select } from '../language/Expression.ts';
import type { InsightContext } from '../QueryContext.ts';
import type { ActorsSource, Query } from '../schemas.ts';
import { type Buckets, dayOf } from './buckets.ts';
import type { Period } from './earlierBuckets.ts';

/** The selection of a number of an insight, and the query of the insight. */
export interface SelectedNumber {
  readonly query: Query;
  readonly source: ActorsSource;
}

/**
 * Selects the people behind a number, one per row; in trends, with the number of their
 * events; in paths, with the number of their moves.
 * @param conditions - conditions on people, which either all events of a person meet or
 *   none.
 */
export type SelectActors = (conditions: readonly Expression[]) => Select;

/** Parses which people a number of one kind of insight counts. */
export type ReadActors = (
  selected: SelectedNumber,
  context: InsightContext,
) => Promise<SelectActors>;

/** Returns the selected series; the first by default. */
export function seriesAt<T>(
  asked: readonly T[],
  { series = 0 }: ActorsSource,
): T {
  const found = asked.at(series);
  if (!found) {
    throw fault('query.source.series', 'is not in the query', 'maximum');
  }
  return found;
}

/** Returns the buckets of the selected period; the current one by default. */
export function bucketsAt(
  periods: readonly Period[],
  { compare = 'current' }: ActorsSource,
): Buckets {
  const period = periods.find(({ label }) => label === compare);
  if (!period) {
    throw fault('query.source.compare', 'needs a query that compares');
  }
  return period.buckets;
}

/** Returns the index of a bucket that is selected by day or by index. */
export function bucketAt(buckets: Buckets, day: string | number): number {
  const { starts } = buckets;
  const index =
    typeof day === 'number'
      ? day
      : starts.findIndex(start => dayOf(start, buckets) === day);
  if (starts[index] === undefined) {
    throw fault(
      'query.source.day',
      'is not one of days of the result, nor its index',
      'enum',
    );
  }
  return index;
}
