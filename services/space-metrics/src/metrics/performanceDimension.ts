import type { Delivery, DeliveryLake } from '../delivery/DeliveryLake.ts';
import type { Sourced } from '../portal/StaleIfErrorCache.ts';
import {
  type Dimension,
  type Field,
  type Reading,
  ratio,
  rounded,
} from './Dimension.ts';
import type { NumbersQuery, Totals } from './Numbers.ts';

/** Reads totals that do not concern people. */
interface Builds {
  totals(query: NumbersQuery): Promise<Totals[]>;
}

const FIELDS: readonly Field[] = [
  {
    name: 'deployment_frequency',
    sample: 'deployments',
    better: 'higher',
    scale: 'ratio',
  },
  {
    name: 'lead_time_hours',
    sample: 'changes',
    better: 'lower',
    scale: 'ratio',
  },
  {
    name: 'build_success_rate',
    sample: 'builds',
    better: 'higher',
    scale: 'share',
  },
];

/**
 * Describes delivery: deployments and lead times from the delivery lake, builds from their own
 * events. None of this is about individual people, so nothing is hidden.
 */
export function performanceDimension(options: {
  builds: Builds;
  lake: DeliveryLake;
}): Dimension {
  const { builds, lake } = options;
  return {
    name: 'performance',
    fields: FIELDS,
    async read(query, periods) {
      const [totals, deliveries] = await Promise.all([
        builds.totals({
          team: query.team,
          periods,
          measures: ['build.success', 'build.finished'],
        }),
        lake.read(query),
      ]);
      return periods.map((_, index) =>
        describe(totals[index], deliveries[index]),
      );
    },
  };
}

function describe(
  builds: Totals,
  { value: delivery, stale }: Sourced<Delivery>,
): Reading {
  const finished = builds['build.finished'] ?? 0;
  return {
    values: {
      deployment_frequency: rounded(delivery?.deploymentsPerWeek ?? 0),
      lead_time_hours: rounded(delivery?.leadTimeHours ?? 0),
      build_success_rate: ratio(builds['build.success'] ?? 0, finished, 4),
    },
    samples: {
      deployments: delivery?.deployments ?? 0,
      changes: delivery?.changes ?? 0,
      builds: finished,
    },
    suppressed: false,
    ...(stale && { stale }),
  };
}
