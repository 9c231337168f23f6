import { DURATION_KIND } from '../durationBucket';
import { DeploymentFlags } from './deploymentRows';
import { DurationRow } from './toDurations';

/** The counts of a row of `rollup_counts`, by column. */
export const COUNT_COLUMNS = [
  'deployments',
  'failed',
  'failed_guessed',
  'rework',
  'rework_guessed',
  'changes',
  'changes_unknown',
  'restores',
  'recoveries',
] as const;

export type DayCounts = Record<(typeof COUNT_COLUMNS)[number], number>;

/** Counts of nothing. */
export function noCounts(): DayCounts {
  return {
    deployments: 0,
    failed: 0,
    failed_guessed: 0,
    rework: 0,
    rework_guessed: 0,
    changes: 0,
    changes_unknown: 0,
    restores: 0,
    recoveries: 0,
  };
}

/** Adds what a deployment was judged to be, or takes it away; itself apart. */
export function addJudgement(
  counts: DayCounts,
  flags: DeploymentFlags,
  sign: 1 | -1,
): void {
  counts.failed += sign * flags.failed;
  counts.failed_guessed += flags.failureCause === 'guess' ? sign : 0;
  counts.rework += sign * flags.rework;
  counts.rework_guessed += flags.reworkCause === 'guess' ? sign : 0;
}

/** Adds a duration, or takes it away. Changes without a lead time are counted apart. */
export function addDuration(
  counts: DayCounts,
  { kind, duration }: DurationRow,
  sign: 1 | -1,
): void {
  switch (kind) {
    case DURATION_KIND.lead:
      counts[duration === null ? 'changes_unknown' : 'changes'] += sign;
      break;
    case DURATION_KIND.restore:
      counts.restores += sign;
      break;
    default:
      counts.recoveries += sign;
  }
}

/** What has to be added to one to get the other. */
export function subtractCounts(a: DayCounts, b: DayCounts): DayCounts {
  const difference = noCounts();
  for (const column of COUNT_COLUMNS) {
    difference[column] = a[column] - b[column];
  }
  return difference;
}

/** Whether there is anything in it. */
export function isNothing(counts: DayCounts): boolean {
  return COUNT_COLUMNS.every(column => counts[column] === 0);
}
