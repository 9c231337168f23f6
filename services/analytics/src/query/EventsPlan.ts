import type { Condition } from './language/Expression.ts';
import type { Ordering, Selection } from './language/parseSelection.ts';

/**
 * An EventsQuery that was read and checked: everything in it is one of a few known
 * expressions or a value. Stores turn it into SQL of their own.
 */
export interface EventsPlan {
  readonly projectId: string;
  readonly select: readonly Selection[];
  /** Names of events; undefined for all. */
  readonly events?: readonly string[];
  /** Exclusive, milliseconds since the Unix epoch; undefined for no bound. */
  readonly after?: number;
  /** Exclusive, milliseconds since the Unix epoch. */
  readonly before: number;
  /** Conditions on single events. */
  readonly where: readonly Condition[];
  /** Conditions on groups of events. */
  readonly having: readonly Condition[];
  readonly orderBy: readonly Ordering[];
  /** Whether rows are groups of events that agree in what is selected beside aggregates. */
  readonly isAggregated: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** A row of an answer, in the order of `select`, before times become texts. */
export type Cell = string | number | null;

/** What a store answers to a plan: `*` takes the place of six cells, as {@link EVENT_CELLS}. */
export interface PlanRows {
  readonly rows: readonly (readonly Cell[])[];
}

/** The cells that stand for `*`. */
export const EVENT_CELLS = [
  'uuid',
  'event',
  'properties',
  'timestamp',
  'distinct_id',
  'created_at',
] as const;
