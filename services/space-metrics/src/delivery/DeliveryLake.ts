import type { PortalClient } from '@slipway/service-kit';
import { ALL_TEAMS } from '../people/team.ts';
import {
  type Granularity,
  type Period,
  presentPeriod,
} from '../periods/Period.ts';
import {
  type Sourced,
  StaleIfErrorCache,
} from '../portal/StaleIfErrorCache.ts';

/** The figures of the delivery lake for a team and a period. */
export interface Delivery {
  /** Deployments to production per week. */
  readonly deploymentsPerWeek: number;
  readonly deployments: number;
  /** The median time from commit to production, in hours. */
  readonly leadTimeHours: number;
  readonly changes: number;
}

/** A metric in the lake's response; null in a series if there is no sample. */
interface LakeMetric {
  value: number | null;
  samples: number;
}

interface LakeMetrics {
  deploymentFrequency: LakeMetric;
  leadTimeForChanges: LakeMetric;
}

const INTERVALS: Record<Granularity, string> = {
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
};

/** A query to the lake: a period, a period to compare it with, and its buckets. */
export interface DeliveryQuery {
  /** A team, or `ALL_TEAMS`. */
  readonly team: string;
  readonly current: Period;
  readonly previous?: Period;
  readonly series?: {
    readonly granularity: Granularity;
    readonly buckets: readonly Period[];
  };
}

/** Reads deployment figures from the portal at `/api/delivery-lake`. */
export class DeliveryLake {
  readonly #portal: PortalClient;
  readonly #cache: StaleIfErrorCache;

  constructor(options: {
    portal: PortalClient;
    cacheSeconds: number;
    now: () => number;
  }) {
    this.#portal = options.portal;
    this.#cache = new StaleIfErrorCache({
      freshMs: options.cacheSeconds * 1_000,
      // Empty figures are read again soon, so that the first deployments of a team appear within
      // seconds.
      isProvisional: isEmpty,
      now: options.now,
    });
  }

  /**
   * Reads every period of a query, in order: the current one, the previous one if requested, and
   * the buckets of the series.
   */
  async read(query: DeliveryQuery): Promise<Sourced<Delivery>[]> {
    const { team, current, previous, series } = query;
    const [now, before, parts] = await Promise.all([
      this.#delivery({ team, period: current }),
      previous && this.#delivery({ team, period: previous }),
      series &&
        this.#series({
          team,
          period: current,
          granularity: series.granularity,
        }),
    ]);
    return [
      now,
      ...(before ? [before] : []),
      ...(series?.buckets ?? []).map(bucket => ({
        value: parts?.value?.get(presentPeriod(bucket).start),
        stale: parts?.stale ?? false,
      })),
    ];
  }

  #delivery(options: {
    team: string;
    period: Period;
  }): Promise<Sourced<Delivery>> {
    const path = `/api/delivery-lake/dora-metrics?${queryOf(options)}`;
    return this.#cache.get(path, async () => {
      const answer = await this.#portal.get(path);
      return readDelivery((answer as { metrics?: unknown }).metrics);
    });
  }

  /** Reads the buckets of a series, by their first day. */
  #series(options: {
    team: string;
    period: Period;
    granularity: Granularity;
  }): Promise<Sourced<ReadonlyMap<string, Delivery>>> {
    const query = queryOf(options);
    query.set('interval', INTERVALS[options.granularity]);
    const path = `/api/delivery-lake/dora-series?${query}`;
    return this.#cache.get(path, async () => {
      const { points = [] } = (await this.#portal.get(path)) as {
        points?: { startDate: string; metrics: unknown }[];
      };
      return new Map(
        points.map(point => [point.startDate, readDelivery(point.metrics)]),
      );
    });
  }
}

function queryOf(options: { team: string; period: Period }): URLSearchParams {
  const { start, end } = presentPeriod(options.period);
  return new URLSearchParams({
    ...(options.team !== ALL_TEAMS && { team: options.team }),
    startDate: start,
    endDate: end,
  });
}

/** Returns whether a cached response reports neither deployments nor changes. */
function isEmpty(value: unknown): boolean {
  const all = (
    value instanceof Map ? [...value.values()] : [value]
  ) as Delivery[];
  return all.every(
    ({ deployments, changes }) => deployments === 0 && changes === 0,
  );
}

/**
 * Reads the figures from a response.
 *
 * @throws TypeError if it has another shape, so that it is not used.
 */
function readDelivery(metrics: unknown): Delivery {
  const { deploymentFrequency, leadTimeForChanges } = metrics as LakeMetrics;
  return {
    deploymentsPerWeek: Number(deploymentFrequency.value ?? 0),
    deployments: Number(deploymentFrequency.samples ?? 0),
    leadTimeHours: Number(leadTimeForChanges.value ?? 0),
    changes: Number(leadTimeForChanges.samples ?? 0),
  };
}
