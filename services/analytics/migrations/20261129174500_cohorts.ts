import type { Database } from '@slipway/service-kit';

type Knex = Database['knex'];

/** Adds cohorts: saved groups of people, by conditions or as fixed lists. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('cohorts', table => {
    table.increments('id');
    table.string('project_id', 64).notNullable();
    table.string('name', 200).notNullable();
    table.string('description', 400).notNullable();
    // JSON: the conditions; null for a fixed list.
    table.text('filters');
    table.integer('version').notNullable();
    table.bigInteger('created_at').notNullable();
    table.string('created_by', 255).notNullable();
    table.bigInteger('updated_at').notNullable();
    table.index(['project_id', 'name']);
  });
  // The people of fixed lists, each by one of their ids.
  await knex.schema.createTable('cohort_ids', table => {
    table.integer('cohort_id').notNullable();
    table.string('project_id', 64).notNullable();
    table.text('distinct_id').notNullable();
    table.primary(['cohort_id', 'distinct_id']);
    table.index(['project_id', 'distinct_id']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('cohort_ids');
  await knex.schema.dropTable('cohorts');
}
