import {
  bucketsOf,
  type Granularity,
  type Period,
  presentPeriod,
  previousPeriod,
} from '../periods/Period.ts';
import type { Dimension, DimensionName, Field, Reading } from './Dimension.ts';

type Trend = 'improving' | 'stable' | 'declining';

/**
 * Whether things got better: each field that rests on something in both periods is
 * compared, in the direction that is good for it, and more of them decide. Changes
 * within the dead band of a field are none.
 */
export function trendOf(
  fields: readonly Field[],
  readings: { current: Reading; previous: Reading },
): Trend {
  const score = fields.reduce(
    (sum, field) => sum + directionOf(field, readings),
    0,
  );
  if (score === 0) {
    return 'stable';
  }
  return score > 0 ? 'improving' : 'declining';
}

/** 1 for better, -1 for worse, 0 for neither or for nothing to compare. */
function directionOf(
  { name, sample, better, deadBand }: Field,
  { current, previous }: { current: Reading; previous: Reading },
): number {
  const now = current.values[name];
  const before = previous.values[name];
  const comparable =
    current.samples[sample] > 0 && previous.samples[sample] > 0;
  if (typeof now !== 'number' || typeof before !== 'number' || !comparable) {
    return 0;
  }
  const band =
    'absolute' in deadBand
      ? deadBand.absolute
      : deadBand.share * Math.abs(before);
  if (Math.abs(now - before) <= band) {
    return 0;
  }
  return now > before === (better === 'higher') ? 1 : -1;
}

type Values = Reading['values'];

/** All dimensions, as the contract has them. */
interface SpaceReport {
  period: { start: string; end: string };
  metrics: Record<DimensionName, Values>;
}

/** One dimension with what leads to its numbers. */
interface DimensionReport {
  dimension: DimensionName;
  /** The team as the query spelt it, or `all`. */
  team: string;
  period: { start: string; end: string };
  data: Record<string, unknown> & {
    trend: Trend;
    series: ({
      start: string;
      end: string;
      samples: Reading['samples'];
    } & Record<string, unknown>)[];
    samples: Reading['samples'];
    suppressed: boolean;
    minimum_group_size: number;
    stale?: true;
  };
}

/** Puts the answers of the metrics routes together. */
export class SpaceMetrics {
  readonly #dimensions: ReadonlyMap<DimensionName, Dimension>;
  readonly #minimumGroupSize: number;

  constructor(options: {
    dimensions: readonly Dimension[];
    minimumGroupSize: number;
  }) {
    this.#dimensions = new Map(
      options.dimensions.map(dimension => [dimension.name, dimension]),
    );
    this.#minimumGroupSize = options.minimumGroupSize;
  }

  /** @param options.team - a team, or `ALL_TEAMS`. */
  async report(options: {
    team: string;
    period: Period;
  }): Promise<SpaceReport> {
    const { team, period } = options;
    const entries = await Promise.all(
      [...this.#dimensions].map(async ([name, dimension]) => {
        const { current } = await dimension.read({ team, current: period });
        return [name, current.values] as const;
      }),
    );
    return {
      period: presentPeriod(period),
      metrics: Object.fromEntries(entries) as SpaceReport['metrics'],
    };
  }

  /** One dimension as it is, without what leads there. */
  async current(
    name: DimensionName,
    options: { team: string; period: Period },
  ): Promise<Reading> {
    const { team, period } = options;
    const dimension = this.#dimensions.get(name)!;
    return (await dimension.read({ team, current: period })).current;
  }

  /**
   * @param options.team - a team, or `ALL_TEAMS`.
   * @param options.askedTeam - how the query spelt it.
   */
  async dimension(
    name: DimensionName,
    options: {
      team: string;
      askedTeam?: string;
      period: Period;
      granularity: Granularity;
    },
  ): Promise<DimensionReport> {
    const { team, askedTeam = 'all', period, granularity } = options;
    const dimension = this.#dimensions.get(name)!;
    const buckets = bucketsOf(period, granularity);
    const { current, previous, series } = await dimension.read({
      team,
      current: period,
      previous: previousPeriod(period),
      series: { granularity, buckets },
    });
    const isStale = [current, ...series].some(({ stale }) => stale);
    return {
      dimension: name,
      team: askedTeam,
      period: presentPeriod(period),
      data: {
        ...current.values,
        ...(current.breakdown && { nps_breakdown: current.breakdown }),
        trend: trendOf(dimension.fields, { current, previous: previous! }),
        series: series.map((reading, index) => ({
          ...presentPeriod(buckets[index]),
          ...reading.values,
          samples: reading.samples,
        })),
        samples: current.samples,
        suppressed: current.suppressed,
        minimum_group_size: this.#minimumGroupSize,
        ...(isStale && { stale: true as const }),
      },
    };
  }
}
