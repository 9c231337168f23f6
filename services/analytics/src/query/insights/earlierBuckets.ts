import { fault } from '../faults.ts';
import type { Query } from '../schemas.ts';
import { difference, move, startOf, type Unit } from '../time/zones.ts';
import type { Buckets } from './buckets.ts';

const STEP_MS = { hour: 3_600_000, day: 86_400_000 } as const;
const UNITS = {
  h: 'hour',
  d: 'day',
  w: 'week',
  m: 'month',
  q: 'quarter',
  y: 'year',
} as const;

/** A period of a result, and its label in comparisons. */
export interface Period {
  readonly buckets: Buckets;
  readonly label: 'current' | 'previous';
}

/** Returns the current period, followed by the previous one if they are compared. */
export function comparedPeriods(buckets: Buckets, query: Query): Period[] {
  return [
    { buckets, label: 'current' },
    ...(query.compareFilter?.compare
      ? [
          {
            buckets: earlierBuckets(buckets, query),
            label: 'previous',
          } as const,
        ]
      : []),
  ];
}

/** A length of time by which buckets are shifted back. */
interface Shift {
  readonly unit: Unit;
  readonly steps: number;
}

/**
 * Returns the buckets of the period that a query is compared with, as many as its own. They
 * are shifted by `compare_to`, or else so that the same weekdays or days of the month are
 * compared, or else they directly precede the query's own. There are fewer if the last
 * month, quarter or year was shorter than the current one so far.
 */
export function earlierBuckets(
  buckets: Buckets,
  { compareFilter = {}, dateRange = {} }: Query,
): Buckets {
  const { compare_to: text } = compareFilter;
  if (text) {
    const asked = readShift(text);
    if (!asked) {
      throw fault(
        'query.compareFilter.compare_to',
        'must be a relative time such as -1y or -14d',
        'format',
      );
    }
    return shifted(buckets, asked);
  }
  const natural = naturalShift(dateRange);
  const same = natural && shifted(buckets, natural);
  const before =
    same && isSoFar(dateRange) ? endedBy(buckets.starts[0], same) : same;
  const { unit, calendar } = buckets;
  return before &&
    startOf(before.starts[0], unit, calendar) === before.starts[0]
    ? before
    : bucketsBefore(buckets);
}

function readShift(text: string): Shift | undefined {
  const [, steps, letter] = /^-(\d{1,4})([hdwmqy])$/.exec(text) ?? [];
  const unit = UNITS[letter as keyof typeof UNITS];
  return unit && { unit, steps: Number(steps) };
}

/**
 * Returns the shift that compares the same weekdays or days of the month, for a period
 * until now. The last 7 days touch eight dates, which are compared with the eight dates 7
 * days before; the current month so far is compared with the last month. Undefined for
 * other periods.
 */
function naturalShift({
  date_from: from,
  date_to: to,
}: NonNullable<Query['dateRange']>): Shift | undefined {
  if (to) {
    return undefined;
  }
  const asked = from || '-7d';
  const shift = readShift(asked.replace(/^([dwmqy])Start$/, '-1$1'));
  const { unit, steps = 0 } = shift ?? {};
  switch (unit) {
    case 'hour':
      // Days keep the same hours, even if clocks change in between.
      return steps > 0 && steps % 24 === 0
        ? { unit: 'day', steps: steps / 24 }
        : undefined;
    case 'day':
      return asked === 'dStart' || (steps > 0 && steps % 7 === 0)
        ? shift
        : undefined;
    case 'week':
      return steps > 0 ? shift : undefined;
    default:
      return isSoFar({ date_from: from }) ? shift : undefined;
  }
}

/** Checks for a period such as the current month so far. */
function isSoFar({
  date_from: from = '',
}: NonNullable<Query['dateRange']>): boolean {
  return from.endsWith('Start');
}

/** Returns the part of a period before a time. */
function endedBy(time: number, buckets: Buckets): Buckets {
  return {
    ...buckets,
    starts: buckets.starts.filter(start => start < time),
    end: Math.min(buckets.end, time),
  };
}

function bucketsBefore(buckets: Buckets): Buckets {
  const { unit, calendar, starts } = buckets;
  const [first] = starts;
  const { zone } = calendar;
  const count = countUnits(buckets);
  return {
    unit,
    calendar,
    starts: starts.map((_, index) =>
      move(first, unit, { steps: index - count, zone }),
    ),
    end: first,
  };
}

/** Counts the units that a period touches, even if it is a single bucket. */
function countUnits({ unit, calendar, starts, end }: Buckets): number {
  const [first] = starts;
  const { zone } = calendar;
  if (starts.length > 1) {
    return starts.length;
  }
  if (unit === 'month') {
    return difference(first, end - 1, { unit, zone }) + 1;
  }
  const steps = Math.round((end - first) / STEP_MS[stepOf(unit)]);
  return unit === 'week' ? Math.ceil(steps / 7) : steps;
}

/** Returns the unit that the end of a period is rounded to. */
function stepOf(unit: Buckets['unit']): 'hour' | 'day' {
  return unit === 'hour' ? 'hour' : 'day';
}

function shifted(buckets: Buckets, by: Shift): Buckets {
  const { unit, calendar, starts, end } = buckets;
  const { zone } = calendar;
  // Months have different lengths, so only the first bucket is shifted by exactly the given time.
  const first = move(starts[0], by.unit, { steps: -by.steps, zone });
  const before = starts.map((_, index) =>
    move(first, unit, { steps: index, zone }),
  );
  // The end is shifted by whole units, plus the rest of the last one.
  const whole = { steps: countUnits(buckets) - 1, zone };
  const last =
    starts.length > 1 ? starts.at(-1)! : move(starts[0], unit, whole);
  const step = stepOf(unit);
  const rest = Math.round((end - last) / STEP_MS[step]);
  return {
    unit,
    calendar,
    starts: before,
    end: move(move(first, unit, whole), step, { steps: rest, zone }),
  };
}
