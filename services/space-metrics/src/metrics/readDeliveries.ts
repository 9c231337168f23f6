import type { Delivery, DeliveryLake } from '../delivery/DeliveryLake.ts';
import { presentPeriod } from '../periods/Period.ts';
import type { Sourced } from '../portal/Sourced.ts';
import type { DimensionQuery } from './Dimension.ts';

/**
 * What the delivery lake says of every period of a query, in their order: the current
 * one, the previous one if asked for, and the parts of the series.
 */
export async function readDeliveries(
  lake: DeliveryLake,
  query: DimensionQuery,
): Promise<Sourced<Delivery>[]> {
  const { team, current, previous, series } = query;
  const [now, before, parts] = await Promise.all([
    lake.delivery({ team, period: current }),
    previous && lake.delivery({ team, period: previous }),
    series &&
      lake.series({ team, period: current, granularity: series.granularity }),
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
