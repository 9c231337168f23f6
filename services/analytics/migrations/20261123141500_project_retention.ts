import type { Database } from '@slipway/service-kit';

type Knex = Database['knex'];

/** Adds for how many days a project keeps events; null for the setting of the installation. */
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
