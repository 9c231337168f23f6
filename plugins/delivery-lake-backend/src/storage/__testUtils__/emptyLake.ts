import type { Knex } from 'knex';

/** Deletes everything that ingestion writes. */
export async function emptyLake(knex: Knex): Promise<void> {
  for (const table of [
    'lake_events',
    'lake_sources',
    'lake_deliveries',
    'deployments',
    'deployment_changes',
    'changes',
    'incidents',
    'service_repositories',
    'services',
    'repositories',
    'dirty_marks',
  ]) {
    await knex(table).delete();
  }
}
