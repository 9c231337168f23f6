const DAY_MS = 86_400_000;
/** Clocks change only at multiples of this. */
const QUARTER_MS = 15 * 60_000;
const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;

/**
 * The clock of a time zone. Its local times are in milliseconds, as if its clock showed UTC: their
 * year, day and hour are those that `Date` returns for UTC.
 */
export class TimeZone {
  readonly isUtc: boolean;
  readonly #format: Intl.DateTimeFormat | undefined;
  /** Offsets from UTC in milliseconds, by the quarters of an hour to which they apply. */
  readonly #offsets = new Map<number, number>();

  /**
   * @param name - of the IANA database, e.g. `Europe/Berlin`.
   * @throws RangeError if there is no such zone.
   */
  constructor(name = 'UTC') {
    this.isUtc = name === 'UTC';
    this.#format = this.isUtc
      ? undefined
      : new Intl.DateTimeFormat('en-US', {
          timeZone: name,
          hourCycle: 'h23',
          ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
          ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
        });
  }

  /** Returns the local time at a moment. */
  localOf(moment: number): number {
    return moment + this.#offsetAt(moment);
  }

  /**
   * Returns the moment of a local time: the first of two if clocks are set back. A time that is skipped
   * when clocks are set forward is moved forward by the same amount.
   */
  momentOf(local: number): number {
    // Clocks change at most once in two days.
    const [first, second] = [local - DAY_MS, local + DAY_MS].map(
      near => local - this.#offsetAt(near),
    );
    const isFirst = this.localOf(first) === local;
    return isFirst || this.localOf(second) !== local ? first : second;
  }

  #offsetAt(moment: number): number {
    if (!this.#format) {
      return 0;
    }
    const quarter = Math.floor(moment / QUARTER_MS);
    const known = this.#offsets.get(quarter);
    if (known !== undefined) {
      return known;
    }
    const start = quarter * QUARTER_MS;
    const shown = new Map(
      this.#format.formatToParts(start).map(({ type, value }) => [type, value]),
    );
    const [year, month, day, hour, minute, second] = PARTS.map(part =>
      Number(shown.get(part)),
    );
    const offset = Date.UTC(year, month - 1, day, hour, minute, second) - start;
    this.#offsets.set(quarter, offset);
    return offset;
  }
}
