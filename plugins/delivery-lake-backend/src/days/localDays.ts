import { DateTime, IANAZone } from 'luxon';
import { Period } from './period';

const DAY_MS = 24 * 3_600_000;
// Zones change their offset at multiples of this.
const SLOT_MS = 15 * 60_000;

/** Days of a time zone as numbers like 20261121. */
export class LocalDays {
  readonly #zone: IANAZone;
  // Asking the zone takes microseconds; a rebuild asks ten million times.
  readonly #offsets = new Map<number, number>();
  readonly #days = new Map<number, number>();

  /** @param timeZone - an IANA name. */
  constructor(timeZone: string) {
    this.#zone = IANAZone.create(timeZone);
  }

  /** The day of a moment in milliseconds since the Unix epoch. */
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

  /** The month of a day: 202611. */
  static monthOf(day: number): number {
    return Math.floor(day / 100);
  }

  /** The moment in which the day of a moment began. */
  startOfDay(moment: number): number {
    return DateTime.fromMillis(moment, { zone: this.#zone })
      .startOf('day')
      .toMillis();
  }

  /**
   * The zone's offsets over a span, in order: each holds before its `until`, the last
   * one to the end. For reckoning with local days in SQL.
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

  /** The first moment after `low` with another offset. */
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

/** Days as numbers like 20261121, inclusive. */
export interface DayRange {
  first: number;
  last: number;
}

/** A part of one day. */
export interface DayPart extends Period {
  /** The day's number. */
  day: number;
}

/** A period as the rollups can answer it. */
export interface SplitPeriod extends Period {
  /** The days that lie in the period from beginning to end. */
  whole?: DayRange;
  /** Every day that the period touches; undefined for a period of no length. */
  touched?: DayRange;
  /** What is left at either end. */
  edges: DayPart[];
}

function numberOf(day: DateTime): number {
  return day.year * 10_000 + day.month * 100 + day.day;
}

/** Number of the day, in the zone, that a moment lies in. */
export function dayOf(moment: number, timeZone: string): number {
  return numberOf(DateTime.fromMillis(moment, { zone: timeZone }));
}

/** Cuts a period at the midnights of the zone, wherever its clocks stand then. */
export function splitPeriod(period: Period, timeZone: string): SplitPeriod {
  const { start, end } = period;
  if (start >= end) {
    return { start, end, edges: [] };
  }
  const startDay = DateTime.fromMillis(start, { zone: timeZone }).startOf(
    'day',
  );
  const endDay = DateTime.fromMillis(end, { zone: timeZone }).startOf('day');
  const firstWhole =
    startDay.toMillis() === start ? startDay : startDay.plus({ days: 1 });
  const touched = {
    first: numberOf(startDay),
    last: dayOf(end - 1, timeZone),
  };
  if (firstWhole > endDay) {
    return { start, end, touched, edges: [{ start, end, day: touched.first }] };
  }
  const edges = [
    { start, end: firstWhole.toMillis(), day: touched.first },
    { start: endDay.toMillis(), end, day: touched.last },
  ].filter(edge => edge.start < edge.end);
  const whole =
    firstWhole < endDay
      ? {
          first: numberOf(firstWhole),
          last: numberOf(endDay.minus({ days: 1 })),
        }
      : undefined;
  return { start, end, whole, touched, edges };
}

/** Tells whether a day lies in a range. */
export function inRange(day: number, range: DayRange | undefined): boolean {
  return range !== undefined && range.first <= day && day <= range.last;
}

/** What a range consists of: whole months (numbers like 202611) and the days beside them. */
export function wholeMonths(range: DayRange): {
  months?: DayRange;
  days: DayRange[];
} {
  const toDate = (day: number) =>
    DateTime.utc(
      Math.floor(day / 10_000),
      Math.floor(day / 100) % 100,
      day % 100,
    );
  const first = toDate(range.first);
  const last = toDate(range.last);
  const from =
    first.day === 1 ? first : first.startOf('month').plus({ months: 1 });
  const to =
    numberOf(last.endOf('month')) === range.last
      ? last
      : last.startOf('month').minus({ days: 1 });
  if (from > to) {
    return { days: [range] };
  }
  const months = {
    first: Math.floor(numberOf(from) / 100),
    last: Math.floor(numberOf(to) / 100),
  };
  const days = [
    { first: range.first, last: numberOf(from.minus({ days: 1 })) },
    { first: numberOf(to.plus({ days: 1 })), last: range.last },
  ].filter(part => part.first <= part.last);
  return { months, days };
}
