import type { Knex } from 'knex';

const COLUMNS = ['trigger_kind', 'job', 'queued_at'];
const INDEX = 'builds_trigger_idx';

/** Adds an index to find when a webhook last triggered each job without reading its builds. */
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
