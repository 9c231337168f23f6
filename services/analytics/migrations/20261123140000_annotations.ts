import type { Database } from '@slipway/service-kit';

type Knex = Database['knex'];

/** Adds annotations: notes about a point in time, which charts show. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('annotations', table => {
    table.increments('id');
    table.string('project_id', 64).notNullable();
    table.string('content', 400).notNullable();
    table.bigInteger('marked_at').notNullable();
    table.bigInteger('created_at').notNullable();
    table.string('created_by', 255).notNullable();
    table.bigInteger('updated_at').notNullable();
    table.index(['project_id', 'marked_at']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('annotations');
}
