import {
  call,
  countDistinct,
  type Expression,
  field,
  type Select,
  valueOf,
} from '../language/Expression.ts';
import { fault } from '../faults.ts';
import { move, startOf } from '../time/zones.ts';
import { type Buckets, bucketOf, PERSON } from './buckets.ts';

/** Maximum days for which people are counted. */
const MOST_DAYS = 5_000;

/**
 * Selects, for each day, how many people were active in the days up to it: rows of day,
 * number and shown value.
 * @param width - number of days in which activity counts.
 * @param options.from - returns the source of the events in some buckets.
 * @param options.shown - the value of the breakdown.
 * @returns the SELECT, and the day in its rows for the first day of a bucket.
 * @throws InvalidRequestError if the buckets span too many days.
 */
export function selectActive(
  { starts, calendar }: Buckets,
  width: number,
  options: {
    from: (range: Buckets) => Select['from'];
    where: readonly Expression[];
    shown?: Expression;
  },
): { select: Select; placeOf: (bucket: number) => number } {
  const { zone } = calendar;
  const firstDays = starts.map(start => startOf(start, 'day', calendar));
  const days: number[] = [];
  const end = move(firstDays.at(-1)!, 'day', { steps: 1, zone });
  for (
    let at = move(firstDays[0], 'day', { steps: 1 - width, zone });
    at < end;
    at = startOf(move(at, 'day', { steps: 1, zone }), 'day', calendar)
  ) {
    if (days.length === MOST_DAYS) {
      throw fault(
        'query.dateRange',
        `spans more than ${MOST_DAYS} days, for each of which active people are counted: choose a shorter period`,
        'maximum',
      );
    }
    days.push(at);
  }
  const range: Buckets = { unit: 'day', calendar, starts: days, end };
  const span = call('span', [bucketOf(range), valueOf(width)], 'numbers');
  const shown = options.shown ? [options.shown] : [];
  const inner: Select = {
    kind: 'select',
    from: options.from(range),
    columns: [span, PERSON, ...shown],
    where: options.where,
    groupBy: [span, PERSON, ...shown],
  };
  const keys = [field(0, 'number'), ...shown.map(() => field(2, 'text'))];
  return {
    select: {
      kind: 'select',
      from: { kind: 'each', of: inner, column: 0 },
      columns: [keys[0], countDistinct(field(1, 'text')), ...keys.slice(1)],
      where: [],
      groupBy: keys,
    },
    placeOf: index => days.indexOf(firstDays[index]),
  };
}
