import { DateTime, IANAZone } from 'luxon';
import { COUNT_FIELDS, Counts, noCounts } from './Counts';
import {
  DeploymentFlags,
  DurationRow,
  isRejudged,
  JudgedDeployment,
} from './compareDerived';
import { DURATION_KIND } from './ServiceHistory';

const DAY_MS = 24 * 3_600_000;
// UTC offsets of time zones only change at multiples of this.
const SLOT_MS = 15 * 60_000;

/** Computes the local days of a time zone, as numbers like 20261121. */
export class LocalDays {
  readonly #zone: IANAZone;
  // Caches: a zone lookup takes microseconds, and a rebuild needs ten million of them.
  readonly #offsets = new Map<number, number>();
  readonly #days = new Map<number, number>();

  /** @param timeZone - an IANA name. */
  constructor(timeZone: string) {
    this.#zone = IANAZone.create(timeZone);
  }

  /** Returns the day, such as 20261121, of a moment in milliseconds since the Unix epoch. */
  dayOf(moment: number): number {
    const dayNumber = Math.floor((moment + this.#offsetAt(moment)) / DAY_MS);
    let day = this.#days.get(dayNumber);
    if (day === undefined) {
      const date = new Date(dayNumber * DAY_MS);
      day =
        date.getUTCFullYear() * 10_000 +
        (date.getUTCMonth() + 1) * 100 +
        date.getUTCDate();
      this.#days.set(dayNumber, day);
    }
    return day;
  }

  /** Returns the month of a day, such as 202611. */
  static monthOf(day: number): number {
    return Math.floor(day / 100);
  }

  /** Returns the start of the day of a moment; both in milliseconds since the Unix epoch. */
  startOfDay(moment: number): number {
    return DateTime.fromMillis(moment, { zone: this.#zone })
      .startOf('day')
      .toMillis();
  }

  /**
   * Returns the UTC offsets of the zone in a span, in chronological order and milliseconds. Each is
   * valid until its `until`, the last one until the end of the span. SQL uses them to compute local
   * days.
   */
  offsetsBetween(
    from: number,
    to: number,
  ): { offset: number; until: number }[] {
    const offsets: { offset: number; until: number }[] = [];
    let moment = from;
    while (moment < to) {
      const next = Math.min(moment + DAY_MS, to);
      const offset = this.#offsetAt(moment);
      if (this.#offsetAt(next) !== offset) {
        const until = this.#findChange(moment, next);
        offsets.push({ offset, until });
      }
      moment = next;
    }
    return [...offsets, { offset: this.#offsetAt(to), until: Infinity }];
  }

  /** Finds the first moment after `low` with a different offset. */
  #findChange(low: number, high: number): number {
    const offset = this.#offsetAt(low);
    let before = Math.floor(low / SLOT_MS);
    let after = Math.floor(high / SLOT_MS);
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (this.#offsetAt(middle * SLOT_MS) === offset) {
        before = middle;
      } else {
        after = middle;
      }
    }
    return after * SLOT_MS;
  }

  #offsetAt(moment: number): number {
    const slot = Math.floor(moment / SLOT_MS);
    let offset = this.#offsets.get(slot);
    if (offset === undefined) {
      offset = this.#zone.offset(slot * SLOT_MS) * 60_000;
      this.#offsets.set(slot, offset);
    }
    return offset;
  }
}

/** Adds or subtracts a deployment's verdict, but not the deployment itself. */
function addJudgement(
  counts: Counts,
  flags: DeploymentFlags,
  sign: 1 | -1,
): void {
  counts.failed += sign * flags.failed;
  counts.failedGuessed += flags.failureCause === 'guess' ? sign : 0;
  counts.rework += sign * flags.rework;
  counts.reworkGuessed += flags.reworkCause === 'guess' ? sign : 0;
}

/** Adds or subtracts a duration. Changes without a lead time are counted separately. */
function addDuration(
  counts: Counts,
  { kind, duration }: DurationRow,
  sign: 1 | -1,
): void {
  switch (kind) {
    case DURATION_KIND.lead:
      counts[duration === null ? 'changesUnknown' : 'changes'] += sign;
      break;
    case DURATION_KIND.restore:
      counts.restores += sign;
      break;
    default:
      counts.recoveries += sign;
  }
}

/** Returns the difference of two counts. */
export function subtractCounts(a: Counts, b: Counts): Counts {
  const difference = noCounts();
  for (const field of COUNT_FIELDS) {
    difference[field] = a[field] - b[field];
  }
  return difference;
}

/** Returns whether all counts are 0. */
function isNothing(counts: Counts): boolean {
  return COUNT_FIELDS.every(field => counts[field] === 0);
}

/** The changes to a service's durations after deriving it. */
interface DurationChanges {
  removed: DurationRow[];
  added: DurationRow[];
  /** All current durations. */
  derived: DurationRow[];
}

/** The counts of a service on a day, before and after deriving it. */
export interface DayChange {
  serviceId: number;
  /** A number like 20261121. */
  day: number;
  before: Counts;
  after: Counts;
}

/**
 * Returns the days of a service whose derived counts changed. From the day of `from` on,
 * deployments are recounted, because it is unknown where a moved one was counted before; everything
 * else is adjusted by what was added and removed.
 *
 * @param options.isWhole - recounts everything, which removes days of another time zone.
 * @param options.stored - the service's rows, at least those since the day of `from` and of all
 * other changed days.
 */
export function countDays(options: {
  serviceId: number;
  from: number;
  isWhole: boolean;
  judged: readonly JudgedDeployment[];
  durations: DurationChanges;
  stored: ReadonlyMap<number, Counts>;
  days: LocalDays;
}): DayChange[] {
  const { serviceId, from, isWhole, judged, durations, stored, days } = options;
  const firstDay = isWhole ? -Infinity : days.dayOf(from);
  const after = new Map<number, Counts>();
  const touched = new Set<number>();
  for (const [day, counts] of stored) {
    const kept = isWhole ? noCounts() : { ...counts };
    if (day >= firstDay) {
      Object.assign(kept, {
        deployments: 0,
        failed: 0,
        failedGuessed: 0,
        rework: 0,
        reworkGuessed: 0,
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
