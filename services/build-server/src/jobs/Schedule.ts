import { createHash } from 'node:crypto';
import type { Job } from './Job.ts';
import { TimeZone } from './TimeZone.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The longest gap between two leap days is eight years. */
const LONGEST_DAYS = 8 * 366;
/** Clocks are set back by an hour, rarely by more. */
const LONGEST_SHIFT_MS = 3 * 3_600_000;
/** Maximum age in minutes of a missed run that is made up for. */
const LONGEST_MINUTES = 7 * 24 * 60;

/** Thrown for an invalid schedule; the message is the end of a sentence. */
class ScheduleError extends Error {
  override readonly name = 'ScheduleError';
}

/** A field of a schedule, with the range from which `H` chooses. */
interface Field {
  name: string;
  from: number;
  to: number;
  hashTo?: number;
}

const FIELDS: readonly Field[] = [
  { name: 'the minute', from: 0, to: 59 },
  { name: 'the hour', from: 0, to: 23 },
  // Every month has this many days.
  { name: 'the day', from: 1, to: 31, hashTo: 28 },
  { name: 'the month', from: 1, to: 12 },
  { name: 'the day of the week', from: 0, to: 7, hashTo: 6 },
];

const WORDS: Readonly<Record<string, string>> = {
  '@hourly': 'H * * * *',
  '@daily': 'H H * * *',
  '@midnight': 'H H(0-2) * * *',
  '@weekly': 'H H * * H',
  '@monthly': 'H H H * *',
  '@yearly': 'H H H H *',
  '@annually': 'H H H H *',
};

const PART =
  /^(?:(\*)|(H)(?:\((\d{1,2})-(\d{1,2})\))?|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/;

/** The number of hours of a schedule that is not limited to certain hours. */
const ALL_HOURS = 24;

/**
 * A schedule as in Jenkins: five fields of cron, where `H` is a number derived from the name of the
 * job, so that not all jobs start in the same minute. On days when clocks change, a schedule that
 * names hours is still due once: at the first occurrence of a repeated hour, or after a skipped
 * one.
 */
export class Schedule {
  readonly #fields: readonly ReadonlySet<number>[];
  readonly #zone: TimeZone;
  readonly #isAnyDay: { ofMonth: boolean; ofWeek: boolean };

  /**
   * @param seed - the name of the job.
   * @param zone - the time zone of the schedule; UTC by default.
   * @throws ScheduleError
   */
  constructor(text: string, seed: string, zone = new TimeZone()) {
    this.#zone = zone;
    const words = (WORDS[text.trim()] ?? text.trim()).split(/\s+/);
    if (words.length !== FIELDS.length) {
      throw new ScheduleError('must have five fields, e.g. H 4 * * 1-5');
    }
    this.#fields = words.map((word, index) =>
      numbersOf(word, { ...FIELDS[index], seed: `${seed}\n${index}` }),
    );
    this.#isAnyDay = { ofMonth: words[2] === '*', ofWeek: words[4] === '*' };
  }

  /**
   * Returns the last due minute after one time and up to another, if it is at most a week before the
   * latter.
   *
   * @returns milliseconds since the Unix epoch; undefined if there is none.
   */
  lastDue(after: number, until: number): number | undefined {
    const last = Math.floor(until / MINUTE_MS);
    const first = Math.max(
      Math.floor(after / MINUTE_MS) + 1,
      last - LONGEST_MINUTES,
    );
    if (this.#zone.isUtc || this.#isEveryHour) {
      for (let minute = last; minute >= first; minute -= 1) {
        const time = minute * MINUTE_MS;
        if (this.#isDue(this.#zone.localOf(time))) {
          return time;
        }
      }
      return undefined;
    }
    const [from, to] = [first, last].map(minute =>
      this.#dayOf(minute * MINUTE_MS),
    );
    for (let day = to; day >= from - 1; day -= 1) {
      const times = this.#timesOn(day).filter(
        time => time >= first * MINUTE_MS && time <= until,
      );
      if (times.length > 0) {
        return Math.max(...times);
      }
    }
    return undefined;
  }

  /**
   * Returns the first due minute after a time, within the next years.
   *
   * @returns milliseconds since the Unix epoch; undefined for a date that never occurs.
   */
  nextDue(after: number): number | undefined {
    const first = (Math.floor(after / MINUTE_MS) + 1) * MINUTE_MS;
    if (this.#isEveryHour) {
      // Also finds times in a repeated hour, of which the search by day lists only the first
      // occurrence.
      for (let late = 0; late <= LONGEST_SHIFT_MS; late += MINUTE_MS) {
        if (this.#isDue(this.#zone.localOf(first + late))) {
          return first + late;
        }
      }
    }
    const today = this.#dayOf(first);
    for (let day = today - 1; day < today + LONGEST_DAYS; day += 1) {
      const times = this.#timesOn(day).filter(time => time >= first);
      if (times.length > 0) {
        return Math.min(...times);
      }
    }
    return undefined;
  }

  get #isEveryHour(): boolean {
    const [, hours] = this.#fields;
    return hours.size === ALL_HOURS;
  }

  /** Returns the day of a time in the schedule's time zone, in days since the Unix epoch. */
  #dayOf(time: number): number {
    return Math.floor(this.#zone.localOf(time) / DAY_MS);
  }

  /** Lists the due minutes of a day that {@link #dayOf} returns. */
  #timesOn(day: number): number[] {
    const [minutes, hours] = this.#fields;
    const midnight = day * DAY_MS;
    return this.#isOn(new Date(midnight))
      ? [...hours].flatMap(hour =>
          [...minutes].map(minute =>
            this.#zone.momentOf(midnight + (hour * 60 + minute) * MINUTE_MS),
          ),
        )
      : [];
  }

  #isDue(local: number): boolean {
    const [minutes, hours] = this.#fields;
    const time = new Date(local);
    return (
      minutes.has(time.getUTCMinutes()) &&
      hours.has(time.getUTCHours()) &&
      this.#isOn(time)
    );
  }

  #isOn(time: Date): boolean {
    const [, , days, months, weekdays] = this.#fields;
    const { ofMonth, ofWeek } = this.#isAnyDay;
    const isDay = days.has(time.getUTCDate());
    const weekday = time.getUTCDay();
    const isWeekday =
      weekdays.has(weekday) || (weekday === 0 && weekdays.has(7));
    return (
      months.has(time.getUTCMonth() + 1) &&
      // As in cron: if both are given, either is enough.
      (ofMonth || ofWeek ? isDay && isWeekday : isDay || isWeekday)
    );
  }
}

/** Returns the schedules of a job without faults. */
export function schedulesOf({
  name,
  schedule = [],
  timeZone,
}: Pick<Job, 'name' | 'schedule' | 'timeZone'>): Schedule[] {
  const zone = new TimeZone(timeZone);
  return schedule.map(text => new Schedule(text, name, zone));
}

function numbersOf(word: string, field: Field & { seed: string }): Set<number> {
  const numbers = new Set<number>();
  for (const part of word.split(',')) {
    const match = PART.exec(part);
    if (!match) {
      throw new ScheduleError(`has invalid ${field.name}: ${part}`);
    }
    const [, , hash, hashFrom, hashTo, one, other, every] = match;
    const range = {
      from: Number(hashFrom ?? one ?? field.from),
      to: Number(
        hashTo ?? other ?? (every ? undefined : one) ?? lastOf(field, hash),
      ),
    };
    if (
      range.from < field.from ||
      range.to > field.to ||
      range.from > range.to
    ) {
      throw new ScheduleError(
        `must have ${field.name} from ${field.from} to ${field.to}`,
      );
    }
    const step = every === undefined ? undefined : Number(every);
    if (step === 0) {
      throw new ScheduleError(`has invalid ${field.name}: ${part}`);
    }
    addNumbers(numbers, { ...range, step, hash: hash && field.seed });
  }
  return numbers;
}

function lastOf({ to, hashTo }: Field, hash: string | undefined): number {
  return hash === undefined ? to : (hashTo ?? to);
}

function addNumbers(
  numbers: Set<number>,
  options: { from: number; to: number; step?: number; hash?: string },
): void {
  const { from, to, step, hash } = options;
  const chosen = (count: number) =>
    hash === undefined
      ? 0
      : createHash('sha256').update(hash).digest().readUInt32BE() % count;
  if (hash !== undefined && step === undefined) {
    numbers.add(from + chosen(to - from + 1));
    return;
  }
  const start =
    from + (step === undefined ? 0 : chosen(Math.min(step, to - from + 1)));
  for (let number = start; number <= to; number += step ?? 1) {
    numbers.add(number);
  }
}
