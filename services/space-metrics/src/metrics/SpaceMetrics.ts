import { changeOf } from '@slipway/entity-contract';
import {
  bucketsOf,
  type Granularity,
  type Period,
  presentPeriod,
  previousPeriod,
} from '../periods/Period.ts';
import {
  type Dimension,
  type DimensionName,
  type Field,
  readDimension,
  type Reading,
} from './Dimension.ts';
import type { Numbers } from './Numbers.ts';

type Trend = 'improving' | 'stable' | 'declining';

/**
 * Returns whether things improved: compares each field that has data in both periods, and returns
 * the direction of the majority of changes. The field's scale determines how large a change must
 * be.
 *
 * @param options.weeks - the weeks that the numbers of each period cover, so that totals of an
 * unfinished period are not compared with those of a whole one.
 */
export function trendOf(
  fields: readonly Field[],
  options: {
    current: Reading;
    previous: Reading;
    weeks?: { current: number; previous: number };
  },
): Trend {
  const { weeks = { current: 1, previous: 1 }, ...readings } = options;
  const share = weeks.previous === 0 ? 1 : weeks.current / weeks.previous;
  const score = fields.reduce(
    (sum, field) => sum + directionOf(field, { ...readings, share }),
    0,
  );
  if (score === 0) {
    return 'stable';
  }
  return score > 0 ? 'improving' : 'declining';
}

/** Returns 1 for better, -1 for worse, 0 for neither or if there is nothing to compare. */
function directionOf(
  { name, sample, better, scale, isTotal = false }: Field,
  {
    current,
    previous,
    share,
  }: { current: Reading; previous: Reading; share: number },
): number {
  const now = current.values[name];
  const before = previous.values[name];
  const comparable =
    current.samples[sample] > 0 && previous.samples[sample] > 0;
  if (typeof now !== 'number' || typeof before !== 'number' || !comparable) {
    return 0;
  }
  const expected = isTotal ? before * share : before;
  const change = changeOf({ value: now, previous: expected, scale });
  return better === 'higher' ? change : -change;
}

type Values = Reading['values'];

/** The report on all dimensions, in the format of the contract. */
interface SpaceReport {
  period: { start: string; end: string };
  metrics: Record<DimensionName, Values>;
}

/** The report on one dimension, with details of its numbers. */
interface DimensionReport {
  dimension: DimensionName;
  /** The team as spelled in the query, or `all`. */
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
    /** The numbers of weeks that totals cover, in the period and in the preceding one. */
    weeks: { current: number; previous: number };
    stale?: true;
  };
}

/** Assembles the responses of the metrics routes. */
export class SpaceMetrics {
  readonly #dimensions: ReadonlyMap<DimensionName, Dimension>;
  readonly #numbers: Pick<Numbers, 'minimumGroupSize' | 'weeks'>;

  constructor(options: {
    dimensions: readonly Dimension[];
    numbers: Pick<Numbers, 'minimumGroupSize' | 'weeks'>;
  }) {
    this.#dimensions = new Map(
      options.dimensions.map(dimension => [dimension.name, dimension]),
    );
    this.#numbers = options.numbers;
  }

  /** Returns the report on all dimensions. @param options.team - a team, or `ALL_TEAMS`. */
  async report(options: {
    team: string;
    period: Period;
  }): Promise<SpaceReport> {
    const { team, period } = options;
    const entries = await Promise.all(
      [...this.#dimensions].map(async ([name, dimension]) => {
        const { current } = await readDimension(dimension, {
          team,
          current: period,
        });
        return [name, current.values] as const;
      }),
    );
    return {
      period: presentPeriod(period),
      metrics: Object.fromEntries(entries) as SpaceReport['metrics'],
    };
  }

  /** Returns the current values of one dimension, without details. */
  async current(
    name: DimensionName,
    options: { team: string; period: Period },
  ): Promise<Reading> {
    const { team, period } = options;
    const dimension = this.#dimensions.get(name)!;
    return (await readDimension(dimension, { team, current: period })).current;
  }

  /**
   * Returns the report on one dimension.
   *
   * @param options.team - a team, or `ALL_TEAMS`.
   * @param options.askedTeam - the team as spelled in the query.
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
    const before = previousPeriod(period);
    const weeks = {
      current: this.#numbers.weeks(period),
      previous: this.#numbers.weeks(before),
    };
    const { current, previous, series } = await readDimension(dimension, {
      team,
      current: period,
      previous: before,
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
        trend: trendOf(dimension.fields, {
          current,
          previous: previous!,
          weeks,
        }),
        series: series.map((reading, index) => ({
          ...presentPeriod(buckets[index]),
          ...reading.values,
          samples: reading.samples,
        })),
        samples: current.samples,
        suppressed: current.suppressed,
        minimum_group_size: this.#numbers.minimumGroupSize,
        weeks,
        ...(isStale && { stale: true as const }),
      },
    };
  }
}
