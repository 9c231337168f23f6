import type Database from 'better-sqlite3';
import {
  type Aggregation,
  type Cell,
  foldAggregate,
  type FoldRows,
} from './folds.ts';

/** A cell that is not null. */
export type Known = string | number;

/** Maximum items of a list. A query that needs more fails, so no result is incomplete. */
const MAX_LIST = 1_000_000;

/** Thrown when a list has too many items; the query is too heavy. */
export class ListTooLongError extends Error {
  override readonly name = 'ListTooLongError';
}

/** Adds the aggregates that SQLite lacks. */
export function addAggregates(database: Database.Database): void {
  addAggregate<{ values: number[]; level: number }>(database, 'f_quantile', {
    start: () => ({ values: [], level: 0 }),
    step(state, [value, level]) {
      if (value !== null) {
        state.values.push(Number(value));
      }
      return { ...state, level: Number(level) };
    },
    result: ({ values, level }) => quantile(values, level),
  });
  for (const [name, sign, breaksTies] of [
    ['f_arg_min', -1, false],
    ['f_arg_max', 1, false],
    ['f_first', -1, true],
    ['f_last', 1, true],
  ] as const) {
    addAggregate<{ of: Cell; by: Cell }>(database, name, {
      start: () => ({ of: null, by: null }),
      step(state, [of, by]) {
        if (of === null || by === null) {
          return state;
        }
        if (state.of === null || state.by === null) {
          return { of, by };
        }
        const order =
          compare(by, state.by) || (breaksTies ? compare(of, state.of) : 0);
        return order * sign > 0 ? { of, by } : state;
      },
      result: ({ of }) => of,
    });
  }
  addAggregate<Known[]>(database, 'f_group_array', {
    start: () => [],
    step: (list, [value]) => collect(list, value),
    result: list => JSON.stringify([...list].sort(compare)),
  });
  addAggregate<Set<Known>>(database, 'f_group_uniq_array', {
    start: () => new Set(),
    step(set, [value]) {
      if (value !== null) {
        set.add(value);
        assertShort(set.size);
      }
      return set;
    },
    result: set => JSON.stringify([...set].sort(compare)),
  });
  for (const kind of ['funnel', 'retention', 'lifecycle', 'paths'] as const) {
    addAggregate<FoldRows>(database, `f_${kind}`, foldAggregate);
  }
}

/** Defines an aggregate with any number of arguments. */
function addAggregate<State>(
  database: Database.Database,
  name: string,
  work: Aggregation<State>,
): void {
  database.aggregate(name, {
    deterministic: true,
    varargs: true,
    start: work.start,
    step: (state: State, ...args: Cell[]) => work.step(state, args),
    result: work.result,
    // The library's types allow only one argument.
  } as unknown as Database.AggregateOptions);
}

function collect(list: Known[], value: Cell): Known[] {
  if (value !== null) {
    list.push(value);
    assertShort(list.length);
  }
  return list;
}

function assertShort(items: number): void {
  if (items > MAX_LIST) {
    throw new ListTooLongError(`A list has more than ${MAX_LIST} items`);
  }
}

/** Interpolates linearly between two values. */
function quantile(values: number[], level: number): number | null {
  if (values.length === 0) {
    return null;
  }
  const sorted = values.sort((left, right) => left - right);
  const place = level * (sorted.length - 1);
  const low = Math.floor(place);
  const high = Math.ceil(place);
  return sorted[low] + (sorted[high] - sorted[low]) * (place - low);
}

/** Compares two values of one type: texts by their bytes, as the other engines do. */
export function compare(left: Known, right: Known): number {
  return typeof left === 'string' && typeof right === 'string'
    ? Buffer.compare(Buffer.from(left), Buffer.from(right))
    : Number(left) - Number(right);
}
