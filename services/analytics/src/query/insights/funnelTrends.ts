import type { Cell, Select } from '../language/EventsPlan.ts';
import {
  call,
  type Expression,
  field,
  valueOf,
} from '../language/Expression.ts';
import type { FunctionName } from '../language/functionNames.ts';
import { type Buckets, dayOf, labelOf } from './buckets.ts';
import {
  type Funnel,
  list,
  people,
  reached,
  reachedRow,
} from './funnelPlan.ts';

/**
 * Selects rows as {@link people} does, one for each bucket in which a person began, with the index
 * of the bucket as the last column. Of an unordered funnel, it is one row for the bucket of the
 * furthest attempt.
 */
export function peopleByStart(funnel: Funnel, by?: Expression): Select {
  const { fold, events, buckets } = funnel;
  if (fold.order === 'unordered') {
    const { starts } = buckets;
    const start = call('item', [list, valueOf(0)], 'number');
    const values = by ? [field(1, 'text')] : [];
    return {
      kind: 'select',
      from: people(funnel, by),
      columns: [list, ...values, indexOf(start, starts)],
      where: [reachedRow(1)],
      having: [],
      orderBy: [],
    };
  }
  return people(
    { ...funnel, events: eachStart({ fold, events, buckets }, by) },
    by,
    field(by ? 4 : 3, 'number'),
  );
}

/**
 * Repeats each event for every bucket in which an attempt that it continues may have begun, which
 * is the last column. The first step counts in its own bucket alone.
 */
function eachStart(
  { fold, events, buckets: { starts } }: Omit<Funnel, 'attribution'>,
  by: Expression | undefined,
): Select {
  const number = (name: FunctionName, ...args: Expression[]) =>
    call(name, args, 'number');
  const is = (left: Expression, right: Expression) =>
    call('equals', [left, right], 'boolean');
  const [person, time, steps] = [
    field(0, 'text'),
    field(1, 'time'),
    field(2, 'number'),
  ];
  const bucket = indexOf(time, starts);
  const shortest = Math.min(
    ...starts.slice(1).map((start, index) => start - starts[index]),
  );
  const width = valueOf(
    Math.min(Math.ceil(fold.windowMs / shortest) + 1, starts.length),
  );
  const before = number(
    'greatest',
    number('minus', number('plus', bucket, valueOf(1)), width),
    valueOf(0),
  );
  const count = number('least', number('plus', bucket, valueOf(1)), width);
  // In a strict order, also a first step of another bucket ends an attempt.
  const isAlone = is(steps, valueOf(1));
  const span =
    fold.order === 'strict'
      ? call('span', [before, count], 'numbers')
      : call(
          'span',
          [
            number('if', isAlone, bucket, before),
            number('if', isAlone, valueOf(1), count),
          ],
          'numbers',
        );
  const [at, start] = [field(3, 'number'), field(4, 'number')];
  const later = number('minus', steps, number('modulo', steps, valueOf(2)));
  const row = { where: [], having: [], orderBy: [] };
  return {
    kind: 'select',
    from: {
      kind: 'each',
      column: 4,
      of: {
        kind: 'select',
        from: events,
        columns: [
          person,
          time,
          steps,
          bucket,
          span,
          ...(by ? [field(3, 'text')] : []),
        ],
        ...row,
      },
    },
    columns: [
      person,
      time,
      number('if', is(at, start), steps, later),
      ...(by ? [field(5, 'text')] : []),
      start,
    ],
    ...row,
  };
}

/** Returns the index of the bucket of a time. */
function indexOf(of: Expression, starts: readonly number[]): Expression {
  return call(
    'bucket',
    [of, ...starts.map(each => valueOf(each, 'time'))],
    'number',
  );
}

/**
 * Selects how many people began in each bucket, and how many of them converted.
 * @param from - rows of {@link peopleByStart}.
 * @param ends - the steps, from 0, from which and to which people converted.
 */
export function selectRates(
  from: Select,
  ends: { from: number; to: number },
  shown?: Expression,
): Select {
  const bucket = field(from.columns.length - 1, 'number');
  const keys = [bucket, ...(shown ? [shown] : [])];
  return {
    kind: 'select',
    from,
    columns: [
      bucket,
      reached(ends.from + 1),
      reached(ends.to + 1),
      ...keys.slice(1),
    ],
    where: [reachedRow(1)],
    groupBy: keys,
    having: [],
    orderBy: [],
  };
}

/**
 * Formats the percentage of people who started in a bucket and converted.
 * @param rows - bucket, number of people who started, number who converted.
 * @param value - of the breakdown.
 */
export function presentFunnelTrends(
  buckets: Buckets,
  rows: readonly (readonly Cell[])[],
  value?: string | null,
): object[] {
  const rates = new Map(
    rows.map(([bucket, began, converted]) => [
      Number(bucket),
      Number(began) === 0
        ? 0
        : Math.round((Number(converted) / Number(began)) * 10_000) / 100,
    ]),
  );
  const { starts } = buckets;
  return [
    {
      count: starts.length,
      data: starts.map((_, index) => rates.get(index) ?? 0),
      days: starts.map(start => dayOf(start, buckets)),
      labels: starts.map(start => labelOf(start, buckets)),
      ...(value !== undefined && { breakdown_value: value }),
    },
  ];
}
