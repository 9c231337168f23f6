import { createHash } from 'node:crypto';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The longest gap between two leap days is eight years. */
const LONGEST_DAYS = 8 * 366;
/** Missed runs before this are not made up for. */
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

/**
 * A schedule as in Jenkins, in UTC: five fields of cron, where `H` is a number derived
 * from the name of the job, so that not all jobs start in the same minute.
 */
export class Schedule {
  readonly #fields: readonly ReadonlySet<number>[];
  readonly #isAnyDay: { ofMonth: boolean; ofWeek: boolean };

  /**
   * @param seed - the name of the job.
   * @throws ScheduleError
   */
  constructor(text: string, seed: string) {
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
   * Returns the last due minute after one time and up to another; earlier ones are not
   * made up for.
   *
   * @returns milliseconds since the Unix epoch.
   */
  lastDue(after: number, until: number): number | undefined {
    const last = Math.floor(until / MINUTE_MS);
    const first = Math.max(
      Math.floor(after / MINUTE_MS) + 1,
      last - LONGEST_MINUTES,
    );
    for (let minute = last; minute >= first; minute -= 1) {
      if (this.#isDue(new Date(minute * MINUTE_MS))) {
        return minute * MINUTE_MS;
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
    const today = Math.floor(first / DAY_MS) * DAY_MS;
    for (let day = 0; day < LONGEST_DAYS; day += 1) {
      const midnight = today + day * DAY_MS;
      if (!this.#isOn(new Date(midnight))) {
        continue;
      }
      const from = Math.max(first, midnight);
      for (let time = from; time < midnight + DAY_MS; time += MINUTE_MS) {
        if (this.#isDue(new Date(time))) {
          return time;
        }
      }
    }
    return undefined;
  }

  #isDue(time: Date): boolean {
    const [minutes, hours] = this.#fields;
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
