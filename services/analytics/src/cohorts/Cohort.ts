import type { CohortFilters } from './schemas.ts';

/** A saved group of people of a project. Times are milliseconds since the Unix epoch. */
export interface Cohort {
  readonly id: number;
  readonly projectId: string;
  readonly name: string;
  readonly description: string;
  /** The conditions that people meet; undefined for a fixed list of people. */
  readonly filters?: CohortFilters;
  /** A different number after each change. */
  readonly version: number;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly updatedAt: number;
}

/** Filters are less deep in a query. */
const DEEPEST = 20;

/** Checks whether a query, or one within it, leaves out test accounts. */
export function leavesOutTestAccounts(query: unknown, depth = 0): boolean {
  if (typeof query !== 'object' || query === null || depth > DEEPEST) {
    return false;
  }
  const { filterTestAccounts } = query as { filterTestAccounts?: unknown };
  return (
    filterTestAccounts === true ||
    Object.values(query).some(each => leavesOutTestAccounts(each, depth + 1))
  );
}

/**
 * Returns the ids of the cohorts that a query names in its filters.
 * @param query - a query or what contains it, also one that is not validated.
 */
export function cohortsIn(query: unknown, depth = 0): string[] {
  if (typeof query !== 'object' || query === null || depth > DEEPEST) {
    return [];
  }
  const inner = Object.values(query).flatMap(each =>
    cohortsIn(each, depth + 1),
  );
  const { type, value } = query as { type?: unknown; value?: unknown };
  return type === 'cohort' ? [...inner, ...[value].flat().map(String)] : inner;
}
