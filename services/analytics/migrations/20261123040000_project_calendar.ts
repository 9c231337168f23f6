import type { Database } from '@slipway/service-kit';

type Knex = Database['knex'];

/** Adds the settings for the start of a project's days and weeks. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('projects', table => {
    table.string('time_zone', 64).notNullable().defaultTo('UTC');
    table.integer('week_start').notNullable().defaultTo(0);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('projects', table => {
    table.dropColumns('time_zone', 'week_start');
  });
}
