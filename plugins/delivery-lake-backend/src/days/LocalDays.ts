import { DateTime, IANAZone } from 'luxon';

const DAY_MS = 24 * 3_600_000;
// Zone offsets change only at multiples of this.
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

  /** Returns the day that contains a moment, given in milliseconds since the Unix epoch. */
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

  /** Returns the start of the day that contains a moment. */
  startOfDay(moment: number): number {
    return DateTime.fromMillis(moment, { zone: this.#zone })
      .startOf('day')
      .toMillis();
  }

  /**
   * Returns the zone's offsets over a span, in order. Each is valid until its `until`, the
   * last one to the end of the span. SQL uses them to compute local days.
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
