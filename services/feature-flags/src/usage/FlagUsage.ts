import {
  type ApplicationUsage,
  SPAN_MS,
  type Tally,
  type UsagePoint,
  type UsageStore,
} from '../storage/UsageStore.ts';

const DAY_MS = 24 * SPAN_MS.hour;

/** The period of one bar of a chart. */
export type Interval = 'hour' | 'day';

/** The requested bars of a chart, the last of which contains the current time. */
interface BarOptions {
  readonly environment: string | undefined;
  readonly interval: Interval;
  readonly count: number;
}

interface FlagUsageOptions {
  usage: UsageStore;
  retentionMs: number;
  now: () => number;
}

/**
 * Queries the usage of flags, in one environment or, if it is undefined, in all of them. Days are
 * in UTC.
 */
export class FlagUsage {
  readonly #options: FlagUsageOptions;

  constructor(options: FlagUsageOptions) {
    this.#options = options;
  }

  /** Sums the usage of the last sixty minutes. */
  async lastHour(
    flag: string,
    environment: string | undefined,
  ): Promise<Tally> {
    const from = this.#options.now() - SPAN_MS.hour;
    const points = await this.#options.usage.series({
      flag,
      environment,
      span: 'minute',
      from,
    });
    return addUp(points);
  }

  /** Lists the applications that requested a flag within the retention period. */
  applications(
    flag: string,
    environment: string | undefined,
  ): Promise<string[]> {
    return this.#options.usage.applications({
      flag,
      environment,
      from: this.#options.now() - this.#options.retentionMs,
    });
  }

  /** Reads the usage of a flag by application and environment in the last hours. */
  byApplication(flag: string, hours: number): Promise<ApplicationUsage[]> {
    const [from] = startsOf(this.#options.now(), {
      interval: 'hour',
      count: hours,
    });
    return this.#options.usage.byApplication({ flag, from });
  }

  /** Reads the usage of the last hours or days, including those without any. */
  async series(flag: string, options: BarOptions): Promise<UsagePoint[]> {
    const { starts, query } = this.#periods(options);
    return fill(starts, await this.#options.usage.series({ flag, ...query }));
  }

  /** Reads the same as {@link series} for every flag with usage, by name. */
  async seriesOfAll(options: BarOptions): Promise<Map<string, UsagePoint[]>> {
    const { starts, query } = this.#periods(options);
    const all = await this.#options.usage.seriesOfAll(query);
    return new Map(
      [...all].map(([flag, points]) => [flag, fill(starts, points)]),
    );
  }

  #periods(options: BarOptions) {
    const { environment, interval } = options;
    const starts = startsOf(this.#options.now(), options);
    const query = {
      environment,
      span: 'hour',
      from: starts[0],
      length: lengthOf(interval),
    } as const;
    return { starts, query };
  }
}

function lengthOf(interval: Interval): number {
  return interval === 'day' ? DAY_MS : SPAN_MS.hour;
}

function startsOf(
  now: number,
  { interval, count }: { interval: Interval; count: number },
): number[] {
  const length = lengthOf(interval);
  const last = now - (now % length);
  return Array.from(
    { length: count },
    (_, index) => last - (count - 1 - index) * length,
  );
}

/** Adds the periods without usage. */
function fill(
  starts: readonly number[],
  points: readonly UsagePoint[],
): UsagePoint[] {
  const used = new Map(points.map(point => [point.startsAt, point]));
  return starts.map(
    startsAt => used.get(startsAt) ?? { startsAt, yes: 0, no: 0 },
  );
}

function addUp(tallies: readonly Tally[]): Tally {
  return tallies.reduce<Tally>(
    (sum, { yes, no }) => ({ yes: sum.yes + yes, no: sum.no + no }),
    { yes: 0, no: 0 },
  );
}
