import type { Database } from '@slipway/service-kit';

type Knex = Database['knex'];

/** Adds the definitions of events and properties, and the position up to which events are counted. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('definitions', table => {
    table.string('id', 36).primary();
    table.string('project_id', 64).notNullable();
    table.string('kind', 32).notNullable();
    table.string('name', 400).notNullable();
    table.string('property_type', 16);
    table.bigInteger('first_seen_at').notNullable();
    table.bigInteger('last_seen_at').notNullable();
    table.text('description').notNullable();
    table.string('owner', 255).notNullable();
    table.boolean('is_verified').notNullable();
    table.boolean('is_hidden').notNullable();
    table.bigInteger('changed_at');
    table.string('changed_by', 255);
    table.index(['project_id', 'kind']);
  });
  await knex.schema.createTable('definition_days', table => {
    table.string('definition_id', 36).notNullable();
    table.string('project_id', 64).notNullable();
    table.integer('day').notNullable();
    table.bigInteger('count').notNullable();
    table.primary(['definition_id', 'day']);
    table.index(['project_id', 'day']);
  });
  await knex.schema.createTable('definition_positions', table => {
    table.string('journal_id', 64).primary();
    table.bigInteger('position').notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('definition_positions');
  await knex.schema.dropTable('definition_days');
  await knex.schema.dropTable('definitions');
}
