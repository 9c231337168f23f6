import type { Knex } from 'knex';
import { Rollback } from '../domain/ServiceHistory';
import { queryRows } from './recordTable';
import { momentTable } from './scopes';

/** Roll-backs that name deployments that finished since a moment, whenever they were. */
export async function loadRollbacksOf(
  trx: Knex.Transaction,
  moments: readonly { serviceId: number; moment: number }[],
): Promise<Rollback[]> {
  const list = momentTable(trx, moments);
  const rows = await queryRows<{
    id: string | number;
    finished_at: string | number;
  }>(
    trx,
    `SELECT d.id, b.finished_at
     FROM ${list.sql} CROSS JOIN deployments d CROSS JOIN deployments b
     WHERE d.counted = 1 AND d.service_id = r.service_id AND d.finished_at >= r.moment
       AND b.rollback_of IS NOT NULL AND b.source = d.source
       AND b.rollback_of = d.external_id AND b.service_id = d.service_id
       AND b.counted = 1`,
    list.bindings,
  );
  return rows.map(row => ({
    deploymentId: Number(row.id),
    finishedAt: Number(row.finished_at),
  }));
}
