import type { Knex } from 'knex';
import { momentTable } from './scopes';
import { queryRows } from './recordTable';

// Deployments that one transaction may have to load: some hundred megabytes.
const DEPLOYMENTS_PER_BATCH = 60_000;
const SERVICES_PER_BATCH = 200;

/**
 * Divides marked services into batches of which each fits into memory and holds the
 * lock for no more than some seconds.
 */
export async function sizeBatches(
  knex: Knex,
  serviceIds: readonly number[],
): Promise<number[][]> {
  const earliest = await knex('dirty_marks')
    .whereIn('service_id', [...serviceIds])
    .groupBy('service_id')
    .select<{ service_id: number; moment: string | number | null }[]>(
      'service_id',
      // What a change concerns is not known yet: little, most often.
      knex.raw('MIN(since) AS moment'),
    );
  const list = momentTable(
    knex,
    earliest.flatMap(({ service_id: serviceId, moment }) =>
      moment === null ? [] : [{ serviceId, moment: Number(moment) }],
    ),
  );
  const rows = await queryRows<{
    service_id: number;
    deployments: string | number;
  }>(
    knex,
    `SELECT r.service_id, (
       SELECT COUNT(*) FROM deployments d
       WHERE d.counted = 1 AND d.service_id = r.service_id AND d.finished_at >= r.moment
     ) AS deployments FROM ${list.sql}`,
    list.bindings,
  );
  const sizes = new Map(
    rows.map(row => [row.service_id, Number(row.deployments)]),
  );
  const batches: number[][] = [];
  let size = Infinity;
  for (const id of serviceIds) {
    const own = sizes.get(id) ?? 0;
    const batch = batches.at(-1);
    if (
      !batch ||
      batch.length === SERVICES_PER_BATCH ||
      size + own > DEPLOYMENTS_PER_BATCH
    ) {
      batches.push([id]);
      size = own;
    } else {
      batch.push(id);
      size += own;
    }
  }
  return batches;
}
