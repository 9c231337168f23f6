import type { CohortFilters } from './schemas.ts';

/** A saved group of people of a project. Times are milliseconds since the Unix epoch. */
export interface Cohort {
  readonly id: number;
  readonly projectId: string;
  readonly name: string;
  readonly description: string;
  /** The conditions that people meet; undefined for a fixed list of people. */
  readonly filters?: CohortFilters;
  /** The number of ids in a fixed list, if counted. After merges, several ids may belong to one person. */
  readonly listed?: number;
  /** A different number after each change. */
  readonly version: number;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly updatedAt: number;
}

/** Maximum depth to search: no query nests filters deeper. */
const DEEPEST = 20;

/** Checks whether a query, or one within it, excludes test accounts. */
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

/** Matches the cohorts that an expression refers to; the expression need not be valid. */
const IN_COHORT = /\bin\s+cohort\s+(\d+)/gi;

/**
 * Returns the ids of the cohorts that a query's filters, breakdowns and expressions refer to,
 * including words such as `all`, which a breakdown may have instead of an id.
 * @param query - a query or an object that contains it; it need not be validated.
 */
export function cohortsIn(query: unknown, depth = 0): string[] {
  if (typeof query === 'string') {
    return [...query.matchAll(IN_COHORT)].map(([, id]) => id);
  }
  if (typeof query !== 'object' || query === null || depth > DEEPEST) {
    return [];
  }
  const inner = Object.values(query).flatMap(each =>
    cohortsIn(each, depth + 1),
  );
  const { type, value } = query as { type?: unknown; value?: unknown };
  const { breakdown_type: by, breakdown } = query as {
    breakdown_type?: unknown;
    breakdown?: unknown;
  };
  return [
    ...inner,
    ...(type === 'cohort' ? [value].flat().map(String) : []),
    ...(by === 'cohort' ? [breakdown].flat().map(String) : []),
  ];
}
