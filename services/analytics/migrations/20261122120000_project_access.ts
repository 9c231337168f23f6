import type { Database } from '@slipway/service-kit';

type Knex = Database['knex'];

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('projects', table => {
    // JSON arrays; null allows every signed-in user, and pages of any origin.
    table.text('readers');
    table.text('origins');
    table.boolean('hides_people').notNullable().defaultTo(false);
  });
  await knex.schema.createTable('settings', table => {
    table.string('name', 64).primary();
    table.text('value').notNullable();
  });
  // SDK events that were dropped. Days are counted from 1970-01-01 in UTC.
  await knex.schema.createTable('event_drops', table => {
    table.string('project_id', 64).notNullable();
    table.string('reason', 32).notNullable();
    table.integer('day').notNullable();
    table.bigInteger('events').notNullable();
    table.bigInteger('last_at').notNullable();
    table.primary(['project_id', 'reason', 'day']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('event_drops');
  await knex.schema.dropTable('settings');
  await knex.schema.alterTable('projects', table => {
    table.dropColumns('readers', 'origins', 'hides_people');
  });
}
