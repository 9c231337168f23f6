/** Counts for one or more services over a period. */
export interface Counts {
  deployments: number;
  failed: number;
  /** The number of failed deployments that were attributed by time, not by a link. */
  failedGuessed: number;
  rework: number;
  reworkGuessed: number;
  /** Changes with a lead time. */
  changes: number;
  /** Delivered changes with inconsistent times. */
  changesUnknown: number;
  /** Outages that ended. */
  restores: number;
  /** Failed deployments that recovered. */
  recoveries: number;
}

/** The fields of {@link Counts}, in a fixed order. */
export const COUNT_FIELDS = [
  'deployments',
  'failed',
  'failedGuessed',
  'rework',
  'reworkGuessed',
  'changes',
  'changesUnknown',
  'restores',
  'recoveries',
] as const satisfies readonly (keyof Counts)[];

/**
 * Identifies the state of rollup rows: rows are only added and revisions only grow, so
 * equal stamps mean equal states.
 */
export interface Stamp {
  rows: number;
  revisions: bigint;
}

/** Counts with the state of the rows that they were read from. */
export interface StampedCounts {
  counts: Counts;
  stamp: Stamp;
}

/** Returns counts of zero. */
export function noCounts(): Counts {
  return {
    deployments: 0,
    failed: 0,
    failedGuessed: 0,
    rework: 0,
    reworkGuessed: 0,
    changes: 0,
    changesUnknown: 0,
    restores: 0,
    recoveries: 0,
  };
}

/** Adds up counts. */
export function sumCounts(parts: Iterable<Counts>): Counts {
  const sum = noCounts();
  for (const part of parts) {
    for (const field of COUNT_FIELDS) {
      sum[field] += part[field];
    }
  }
  return sum;
}

/** Combines the states of several rows. */
export function sumStamps(parts: Iterable<Stamp>): Stamp {
  const sum: Stamp = { rows: 0, revisions: 0n };
  for (const { rows, revisions } of parts) {
    sum.rows += rows;
    sum.revisions += revisions;
  }
  return sum;
}
