import type { Knex } from 'knex';

/** Adds an index to find the builds of a period. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('builds', table => {
    table.index(['started_at']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('builds', table => {
    table.dropIndex(['started_at']);
  });
}
