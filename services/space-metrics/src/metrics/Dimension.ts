import type { Granularity, Period } from '../periods/Period.ts';

export const DIMENSIONS = [
  'satisfaction',
  'performance',
  'activity',
  'communication',
  'efficiency',
] as const;
export type DimensionName = (typeof DIMENSIONS)[number];

/** What is asked of a dimension. */
export interface DimensionQuery {
  /** A team, or `ALL_TEAMS`. */
  readonly team: string;
  readonly current: Period;
  /** To compare with; absent where no trend is wanted. */
  readonly previous?: Period;
  /** Parts of the current period; absent where no series is wanted. */
  readonly series?: {
    readonly granularity: Granularity;
    readonly buckets: readonly Period[];
  };
}

/** What a dimension says of one period. */
export interface Reading {
  /** The fields of the contract; null where a group is too small to be shown. */
  readonly values: Readonly<Record<string, number | null>>;
  /** On how many answers, people or events values rest. */
  readonly samples: Readonly<Record<string, number>>;
  /** True where something is null: too few people, or their cycle is not over. */
  readonly suppressed: boolean;
  /** True where another system did not answer, and values are old or missing. */
  readonly stale?: boolean;
  readonly breakdown?: Readonly<
    Record<'promoters' | 'passives' | 'detractors', number | null>
  >;
}

/** What a dimension answers; `previous` is absent where the query has none. */
export interface DimensionReadings {
  readonly current: Reading;
  readonly previous?: Reading;
  /** One for each bucket of the query, in their order; empty without a series. */
  readonly series: readonly Reading[];
}

/** How to judge a change of a field. */
export interface Field {
  readonly name: string;
  /** The one of `samples` that says whether there was anything to compare. */
  readonly sample: string;
  readonly better: 'higher' | 'lower';
  /** Changes up to here are no change: of the field's own unit, or a share of it. */
  readonly deadBand: { readonly absolute: number } | { readonly share: number };
}

/** One of the five dimensions of SPACE. */
export interface Dimension {
  readonly name: DimensionName;
  readonly fields: readonly Field[];
  read(query: DimensionQuery): Promise<DimensionReadings>;
}

/** Reads all periods of a query at once by a function over any periods. */
export async function readPeriods(
  query: DimensionQuery,
  read: (periods: readonly Period[]) => Promise<readonly Reading[]>,
): Promise<DimensionReadings> {
  const { current, previous, series } = query;
  const [first, ...others] = await read([
    current,
    ...(previous ? [previous] : []),
    ...(series?.buckets ?? []),
  ]);
  return {
    current: first,
    ...(previous && { previous: others[0] }),
    series: previous ? others.slice(1) : others,
  };
}

/** Two decimals are as much as such numbers carry. */
export function rounded(value: number, decimals = 2): number {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor;
}

/** A quotient; 0 where there is nothing to divide by, and a count elsewhere says so. */
export function ratio(dividend: number, divisor: number, decimals = 2): number {
  return divisor === 0 ? 0 : rounded(dividend / divisor, decimals);
}
