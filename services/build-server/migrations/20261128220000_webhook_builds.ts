import type { Knex } from 'knex';

const COLUMNS = ['trigger_kind', 'job', 'queued_at'];
const INDEX = 'builds_trigger_idx';

/** Finds when a webhook last triggered each job without reading all builds with their steps. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('builds', table => {
    table.index(COLUMNS, INDEX);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('builds', table => {
    table.dropIndex(COLUMNS, INDEX);
  });
}
