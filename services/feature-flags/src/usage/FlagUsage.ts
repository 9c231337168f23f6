import {
  type ApplicationUsage,
  SPAN_MS,
  type Tally,
  type UsagePoint,
  type UsageStore,
} from '../storage/UsageStore.ts';

const DAY_MS = 24 * SPAN_MS.hour;

/** The bars of a chart: a number of hours or days. */
export type Interval = 'hour' | 'day';

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
  async series(
    flag: string,
    options: {
      environment: string | undefined;
      interval: Interval;
      count: number;
    },
  ): Promise<UsagePoint[]> {
    const { environment, interval } = options;
    const starts = startsOf(this.#options.now(), options);
    const points = await this.#options.usage.series({
      flag,
      environment,
      span: 'hour',
      from: starts[0],
    });
    return fill(starts, points, lengthOf(interval));
  }

  /** Reads the same for every flag with usage, by name. */
  async seriesOfAll(options: {
    environment: string | undefined;
    interval: Interval;
    count: number;
  }): Promise<Map<string, UsagePoint[]>> {
    const starts = startsOf(this.#options.now(), options);
    const all = await this.#options.usage.seriesOfAll({
      environment: options.environment,
      span: 'hour',
      from: starts[0],
    });
    const length = lengthOf(options.interval);
    return new Map(
      [...all].map(([flag, points]) => [flag, fill(starts, points, length)]),
    );
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

function fill(
  starts: readonly number[],
  points: readonly UsagePoint[],
  length: number,
): UsagePoint[] {
  return starts.map(startsAt => ({
    startsAt,
    ...addUp(
      points.filter(
        point =>
          point.startsAt >= startsAt && point.startsAt < startsAt + length,
      ),
    ),
  }));
}

function addUp(tallies: readonly Tally[]): Tally {
  return tallies.reduce<Tally>(
    (sum, { yes, no }) => ({ yes: sum.yes + yes, no: sum.no + no }),
    { yes: 0, no: 0 },
  );
}
