import { LocalDays } from '../days/localDays';
import { DURATION_KIND } from '../derivation/ServiceHistory';
import { DeploymentFlags } from './derivedDeployments';
import { DurationRow } from './durations';
import { isRejudged, JudgedDeployment } from './writeDerived';

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
function addJudgement(
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
function addDuration(
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

/** Tells whether all counts are 0. */
function isNothing(counts: DayCounts): boolean {
  return COUNT_COLUMNS.every(column => counts[column] === 0);
}

/** What deriving a service changes about its durations. */
interface DurationChanges {
  removed: DurationRow[];
  added: DurationRow[];
  /** All that hold now. */
  derived: DurationRow[];
}

/** The counts of a service's day before and after. */
export interface DayChange {
  serviceId: number;
  /** A number like 20261121. */
  day: number;
  before: DayCounts;
  after: DayCounts;
}

/**
 * Days of a service about which anything derived has changed. From the day on that
 * `from` begins, deployments are counted anew, since what was counted of one that
 * moved is not known; everything else by what came and went.
 *
 * @param options.isWhole - all is counted anew: days of another time zone go.
 * @param options.stored - the service's rows, at least those since `from`'s day and
 * of all days that something else is on.
 */
export function countDays(options: {
  serviceId: number;
  from: number;
  isWhole: boolean;
  judged: readonly JudgedDeployment[];
  durations: DurationChanges;
  stored: ReadonlyMap<number, DayCounts>;
  days: LocalDays;
}): DayChange[] {
  const { serviceId, from, isWhole, judged, durations, stored, days } = options;
  const firstDay = isWhole ? -Infinity : days.dayOf(from);
  const after = new Map<number, DayCounts>();
  const touched = new Set<number>();
  for (const [day, counts] of stored) {
    const kept = isWhole ? noCounts() : { ...counts };
    if (day >= firstDay) {
      Object.assign(kept, {
        deployments: 0,
        failed: 0,
        failed_guessed: 0,
        rework: 0,
        rework_guessed: 0,
      });
    }
    after.set(day, kept);
  }
  const countsOf = (day: number) => {
    let counts = after.get(day);
    if (!counts) {
      counts = noCounts();
      after.set(day, counts);
    }
    return counts;
  };

  for (const each of judged) {
    const day = days.dayOf(each.finishedAt);
    const counts = countsOf(day);
    if (each.isTarget) {
      addJudgement(counts, each.before, -1);
    } else {
      counts.deployments += 1;
    }
    addJudgement(counts, each.after, 1);
    if (isRejudged(each)) {
      touched.add(day);
    }
  }
  for (const row of durations.removed) {
    const day = days.dayOf(row.endedAt);
    touched.add(day);
    if (!isWhole) {
      addDuration(countsOf(day), row, -1);
    }
  }
  for (const row of durations.added) {
    touched.add(days.dayOf(row.endedAt));
  }
  for (const row of isWhole ? durations.derived : durations.added) {
    addDuration(countsOf(days.dayOf(row.endedAt)), row, 1);
  }

  const changes: DayChange[] = [];
  for (const day of new Set([...after.keys(), ...touched])) {
    const before = stored.get(day) ?? noCounts();
    const counts = after.get(day) ?? noCounts();
    if (touched.has(day) || !isNothing(subtractCounts(counts, before))) {
      changes.push({ serviceId, day, before, after: counts });
    }
  }
  return changes;
}
