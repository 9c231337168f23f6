import type { Database } from '@slipway/service-kit';

type Knex = Database['knex'];

/** Adds the number of days for which a project keeps events; null for the installation's setting. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('projects', table => {
    table.integer('retention_days');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('projects', table => {
    table.dropColumn('retention_days');
  });
}
