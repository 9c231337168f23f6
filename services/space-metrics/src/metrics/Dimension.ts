import type { Scale } from '@slipway/entity-contract';
import type { Granularity, Period } from '../periods/Period.ts';

export const DIMENSIONS = [
  'satisfaction',
  'performance',
  'activity',
  'communication',
  'efficiency',
] as const;
export type DimensionName = (typeof DIMENSIONS)[number];

/** A query to a dimension. */
export interface DimensionQuery {
  /** A team, or `ALL_TEAMS`. */
  readonly team: string;
  readonly current: Period;
  /** The period to compare with; missing if no trend is requested. */
  readonly previous?: Period;
  /** Buckets of the current period; missing if no series is requested. */
  readonly series?: {
    readonly granularity: Granularity;
    readonly buckets: readonly Period[];
  };
}

/** The values of a dimension in one period. */
export interface Reading {
  /**
   * The values by field; null if a group is too small to be shown. The report on all dimensions has only
   * the fields of the contract.
   */
  readonly values: Readonly<Record<string, number | null>>;
  /** The number of answers, people or events that each value is based on. */
  readonly samples: Readonly<Record<string, number>>;
  /** True if any value is null: too few people, or their cycle is not over. */
  readonly suppressed: boolean;
  /** True if another system did not respond, and values are outdated or missing. */
  readonly stale?: boolean;
  readonly breakdown?: Readonly<
    Record<'promoters' | 'passives' | 'detractors', number | null>
  >;
}

/** The result of a query; `previous` is missing if the query has none. */
interface DimensionReadings {
  readonly current: Reading;
  readonly previous?: Reading;
  /** One reading for each bucket of the query, in order; empty if no series is requested. */
  readonly series: readonly Reading[];
}

/** Rules to interpret a change of a field. */
export interface Field {
  readonly name: string;
  /** The key in `samples` of the count that must not be 0 for a comparison. */
  readonly sample: string;
  readonly better: 'higher' | 'lower';
  /** Determines how large a difference has to be to count as a change. */
  readonly scale: Scale;
  /** True for totals, which grow with the period. */
  readonly isTotal?: boolean;
}

/** One of the five dimensions of SPACE. */
export interface Dimension {
  readonly name: DimensionName;
  readonly fields: readonly Field[];
  /** Returns a reading for each period of a query, in their order. */
  read(
    query: DimensionQuery,
    periods: readonly Period[],
  ): Promise<readonly Reading[]>;
}

/** Reads all periods of a query in one call. */
export async function readDimension(
  dimension: Dimension,
  query: DimensionQuery,
): Promise<DimensionReadings> {
  const { current, previous, series } = query;
  const [first, ...others] = await dimension.read(query, [
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

/** Rounds a number; two decimals are as precise as such numbers are. */
export function rounded(value: number, decimals = 2): number {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor;
}

/**
 * Divides two numbers. Returns 0 if the divisor is 0; a sample count then shows that there is no
 * data.
 */
export function ratio(dividend: number, divisor: number, decimals = 2): number {
  return divisor === 0 ? 0 : rounded(dividend / divisor, decimals);
}
