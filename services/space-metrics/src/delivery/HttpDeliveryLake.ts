import type { PortalClient } from '@slipway/service-kit';
import { ALL_TEAMS } from '../people/team.ts';
import {
  presentPeriod,
  type Granularity,
  type Period,
} from '../periods/Period.ts';
import { PatientCache } from '../portal/PatientCache.ts';
import type { Sourced } from '../portal/Sourced.ts';
import type { Delivery, DeliveryLake } from './DeliveryLake.ts';

/** A metric as the lake answers it; a series has null where there is no sample. */
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

/** The delivery lake over HTTP, at `/api/delivery-lake` of the portal. */
export class HttpDeliveryLake implements DeliveryLake {
  readonly #portal: PortalClient;
  readonly #cache: PatientCache;

  constructor(options: {
    portal: PortalClient;
    cacheSeconds: number;
    now: () => number;
  }) {
    this.#portal = options.portal;
    this.#cache = new PatientCache({
      freshMs: options.cacheSeconds * 1_000,
      now: options.now,
    });
  }

  delivery(options: {
    team: string;
    period: Period;
  }): Promise<Sourced<Delivery>> {
    const path = `/api/delivery-lake/dora-metrics?${queryOf(options)}`;
    return this.#cache.get(path, async () => {
      const answer = await this.#portal.get(path);
      return readDelivery((answer as { metrics?: unknown }).metrics);
    });
  }

  series(options: {
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

/** @throws TypeError when the answer is of another shape: it is then no answer. */
function readDelivery(metrics: unknown): Delivery {
  const { deploymentFrequency, leadTimeForChanges } = metrics as LakeMetrics;
  return {
    deploymentsPerWeek: Number(deploymentFrequency.value ?? 0),
    deployments: Number(deploymentFrequency.samples ?? 0),
    leadTimeHours: Number(leadTimeForChanges.value ?? 0),
    changes: Number(leadTimeForChanges.samples ?? 0),
  };
}
