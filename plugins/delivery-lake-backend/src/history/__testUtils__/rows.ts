import type { Knex } from 'knex';

/** Returns the row of a finished production deployment; times are milliseconds. */
export function deploymentRow(id: number, more: object = {}): object {
  return {
    ...{
      id,
      public_id: `deploy-${id}`,
      source: 'ci',
      external_id: `run-${id}`,
    },
    ...{ service_id: 1, environment: 'prod', status: 'SUCCESS', counted: 1 },
    ...{ started_at: id * 1_000, finished_at: id * 1_000 + 500 },
    ...{ version: `1.${id}`, triggered_by: 'ada', revision: 1 },
    ...more,
  };
}

/** Returns the row of a resolved production incident; times are milliseconds. */
export function incidentRow(id: number, more: object = {}): object {
  return {
    ...{ id, public_id: `incident-${id}`, source: 'pager', revision: 1 },
    ...{ external_id: `${id}`, service_id: 1, environment: 'prod' },
    ...{ title: `Outage ${id}`, started_at: id * 1_000 },
    ...{ resolved_at: id * 1_000 + 500, ...more },
  };
}

/** Inserts rows into tables, one by one, because their columns may differ. */
export async function insertRows(
  db: Knex,
  tables: Record<string, object[]>,
): Promise<void> {
  for (const [table, rows] of Object.entries(tables)) {
    for (const row of rows) {
      await db(table).insert(row);
    }
  }
}
