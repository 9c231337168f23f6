import { DayPart, DayRange, SplitPeriod } from '../days/period';
import { DurationKind } from '../derivation/ServiceHistory';
import { ServiceIds } from '../scope/ScopeResolver';

/** What is counted of one or more services over some time. */
export interface Counts {
  deployments: number;
  failed: number;
  /** The number of failed deployments that were found by time, not by a link. */
  failedGuessed: number;
  rework: number;
  reworkGuessed: number;
  /** Changes with a lead time. */
  changes: number;
  /** Changes delivered whose times make no sense. */
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
 * State of the rollup rows that something was read from: rows are added and
 * their revisions grow, so that two states with one stamp are the same state.
 */
export interface Stamp {
  rows: number;
  revisions: bigint;
}

/** Counts with the state of what they were read from. */
export interface StampedCounts {
  counts: Counts;
  stamp: Stamp;
}

/** Nothing counted. */
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

/** Adds up. */
export function sumCounts(parts: Iterable<Counts>): Counts {
  const sum = noCounts();
  for (const part of parts) {
    for (const field of COUNT_FIELDS) {
      sum[field] += part[field];
    }
  }
  return sum;
}

/** The state of several rows taken together. */
export function sumStamps(parts: Iterable<Stamp>): Stamp {
  const sum: Stamp = { rows: 0, revisions: 0n };
  for (const { rows, revisions } of parts) {
    sum.rows += rows;
    sum.revisions += revisions;
  }
  return sum;
}

/** Reads what the metrics are made of. An empty list of services has nothing. */
export interface MetricsStore {
  /** Counts of the services together by day, for the days that have any. */
  dailyCounts(
    services: ServiceIds,
    days: DayRange,
  ): Promise<Map<number, StampedCounts>>;
  /** Counts of the days together by service, for the services that have any. */
  serviceCounts(
    services: ServiceIds,
    days: DayRange,
  ): Promise<Map<number, StampedCounts>>;
  /**
   * Counts from the records themselves, for parts of days: by service, or of
   * everything under 0.
   */
  rawCounts(services: ServiceIds, part: DayPart): Promise<Map<number, Counts>>;
  /** Exact median in milliseconds of the durations that ended in the period; null without any. */
  median(
    kind: DurationKind,
    services: ServiceIds,
    period: SplitPeriod,
  ): Promise<number | null>;
  /** Production incidents of the services that are not resolved. */
  openIncidents(services: ServiceIds): Promise<number>;
}
