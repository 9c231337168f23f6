import {
  type Granularity,
  type Period,
  bucketsOf,
  presentPeriod,
  previousPeriod,
} from '../periods/Period.ts';
import type { Dimension, DimensionName, Reading } from './Dimension.ts';
import { type Trend, trendOf } from './trendOf.ts';

type Values = Reading['values'];

/** All dimensions, as the contract has them. */
export interface SpaceReport {
  period: { start: string; end: string };
  metrics: Record<DimensionName, Values>;
}

/** One dimension with what leads to its numbers. */
export interface DimensionReport {
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
