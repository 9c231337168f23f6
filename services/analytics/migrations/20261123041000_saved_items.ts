import type { Database } from '@slipway/service-kit';

type Knex = Database['knex'];

/** Adds saved insights and dashboards. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('saved_items', table => {
    table.string('project_id', 64).notNullable();
    table.string('id', 64).notNullable();
    table.string('kind', 16).notNullable();
    table.string('name', 200).notNullable();
    // JSON: the query of an insight, or the insights of a dashboard.
    table.text('content').notNullable();
    table.integer('version').notNullable();
    table.bigInteger('created_at').notNullable();
    table.string('created_by', 255).notNullable();
    table.bigInteger('updated_at').notNullable();
    table.primary(['project_id', 'id']);
    table.index(['project_id', 'kind', 'name']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('saved_items');
}
