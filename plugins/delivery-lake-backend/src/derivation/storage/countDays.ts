import { LocalDays } from '../LocalDays';
import {
  addDuration,
  addJudgement,
  DayCounts,
  isNothing,
  noCounts,
  subtractCounts,
} from './DayCounts';
import { DurationRow } from './toDurations';
import { isRejudged, JudgedDeployment } from './writeDeployments';

/** What deriving a service changes about its durations. */
export interface DurationChanges {
  removed: DurationRow[];
  added: DurationRow[];
  /** All that hold now. */
  derived: DurationRow[];
}

/** The counts of a service's day before and after. */
export interface DayChange {
  serviceId: number;
  /** As in `20261121`. */
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
