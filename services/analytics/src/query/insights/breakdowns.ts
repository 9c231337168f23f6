import {
  call,
  type Expression,
  not,
  type Select,
  valueOf,
} from '../language/Expression.ts';

/** The value shown for events without a breakdown value. */
export const NONE = '$$_posthog_breakdown_null_$$';
/** The value shown for all values that are not shown separately. */
const OTHER = '$$_posthog_breakdown_other_$$';
/** The label in funnels for all values not shown separately. */
export const OTHER_OF_FUNNELS = 'Other';

/** Checks whether a value represents all values not shown separately. */
export function isOther(value: string): boolean {
  return value === OTHER || value === OTHER_OF_FUNNELS;
}

/** The values of a breakdown that are shown separately. */
export interface BreakdownValues {
  /** Most frequent first; null, for events without a value, comes last. */
  readonly top: readonly (string | null)[];
  /** True if there are other values, which are shown together. */
  readonly hasMore: boolean;
}

/** Returns the most frequent values from rows of value and number, ordered by number descending. */
export function topOf(
  rows: readonly (readonly unknown[])[],
  limit: number,
): BreakdownValues {
  const found = rows.slice(0, limit).map(([value]) => value as string | null);
  const named = found.filter(value => value !== null);
  return {
    top: found.includes(null) ? [...named, null] : named,
    hasMore: rows.length > limit,
  };
}

/** Maximum number of counts of all values; beyond it, a separate query selects the top values first. */
export const MAX_COUNTS = 10_000;

type Counts = readonly (readonly [
  bucket: number,
  count: number,
  value: string | null,
])[];

/** Chooses the most frequent values from the counts of all values by bucket. */
export function topOfCounts(counts: Counts, limit: number): BreakdownValues {
  const totals = new Map<string | null, number>();
  counts.forEach(([, count, value]) =>
    totals.set(value, (totals.get(value) ?? 0) + count),
  );
  const sorted = [...totals].sort(
    ([left, most], [right, least]) =>
      least - most || compareValues(left, right),
  );
  return topOf(sorted, limit);
}

/** Compares as engines do: by bytes, with null last. */
function compareValues(left: string | null, right: string | null): number {
  return left === null || right === null
    ? Number(left === null) - Number(right === null)
    : Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/**
 * Replaces values by the displayed ones, and adds up the counts of values that are
 * displayed together.
 */
export function shownCounts(
  counts: Counts,
  { top }: BreakdownValues,
): [bucket: number, count: number, value: string][] {
  const shown = new Map<string, [number, number, string]>();
  const named = new Set(top);
  for (const [bucket, count, value] of counts) {
    const name = named.has(value) ? (value ?? NONE) : OTHER;
    const key = JSON.stringify([bucket, name]);
    shown.set(key, [bucket, (shown.get(key)?.[1] ?? 0) + count, name]);
  }
  return [...shown.values()];
}

/** Returns the SELECT for the values with the largest numbers, plus one more. */
export function selectTop(
  from: Select['from'],
  options: {
    by: Expression;
    value: Expression;
    where: readonly Expression[];
    limit: number;
  },
): Select {
  const { by, value, where, limit } = options;
  return {
    kind: 'select',
    from,
    columns: [by, value],
    where,
    groupBy: [by],
    orderBy: [{ expression: value, descending: true }],
    limit,
  };
}

/**
 * Returns the displayed value of the breakdown: the event's own value, {@link NONE}, or the
 * value for all others.
 */
export function shownValue(
  by: Expression,
  { top }: BreakdownValues,
  other = OTHER,
): Expression {
  const named = top.filter(value => value !== null);
  const isNamed = call(
    'in',
    [by, ...named.map(value => valueOf(value))],
    'boolean',
  );
  const otherwise = top.includes(null)
    ? call(
        'if',
        [call('isNull', [by], 'boolean'), valueOf(NONE), valueOf(other)],
        'text',
      )
    : valueOf(other);
  return named.length === 0
    ? otherwise
    : call('if', [isNamed, by, otherwise], 'text');
}

/** Returns the values in display order. */
export function shownValues(
  { top, hasMore }: BreakdownValues,
  { other = OTHER, hidesOther = false } = {},
): string[] {
  return [
    ...top.map(value => value ?? NONE),
    ...(hasMore && !hidesOther ? [other] : []),
  ];
}

/** Returns the condition that excludes events without a value. */
export function hasValue(by: Expression): Expression {
  return not(call('isNull', [by], 'boolean'));
}
