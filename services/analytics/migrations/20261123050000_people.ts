import type { Database } from '@slipway/service-kit';

type Knex = Database['knex'];

/**
 * Adds persons and groups. A person is named by one of its ids; the others point to it.
 * Rows contain the version of the change that last wrote them, so that copies can catch up.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('people_version', table => {
    table.integer('id').primary();
    table.bigInteger('version').notNullable();
  });
  await knex('people_version').insert({ id: 1, version: 0 });
  // Position up to which the changes of each journal have been applied.
  await knex.schema.createTable('people_progress', table => {
    table.string('journal', 64).primary();
    table.bigInteger('seq').notNullable();
  });
  await knex.schema.createTable('persons', table => {
    table.string('project_id', 64).notNullable();
    table.text('person').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('last_seen_at').notNullable();
    table.boolean('is_identified').notNullable();
    // JSON objects: values, and the times when they were set.
    table.text('properties').notNullable();
    table.text('times').notNullable();
    table.bigInteger('version').notNullable();
    table.primary(['project_id', 'person']);
    table.index(['version']);
    table.index(['project_id', 'last_seen_at']);
  });
  await knex.schema.createTable('person_ids', table => {
    table.string('project_id', 64).notNullable();
    table.text('distinct_id').notNullable();
    table.text('person').notNullable();
    table.bigInteger('version').notNullable();
    table.primary(['project_id', 'distinct_id']);
    table.index(['version']);
    table.index(['project_id', 'person']);
  });
  await knex.schema.createTable('group_types', table => {
    table.string('project_id', 64).notNullable();
    table.integer('position').notNullable();
    table.text('name').notNullable();
    table.primary(['project_id', 'position']);
  });
  await knex.schema.createTable('person_groups', table => {
    table.string('project_id', 64).notNullable();
    table.text('type').notNullable();
    table.text('key').notNullable();
    table.bigInteger('created_at').notNullable();
    table.text('properties').notNullable();
    table.text('times').notNullable();
    table.bigInteger('version').notNullable();
    table.primary(['project_id', 'type', 'key']);
    table.index(['version']);
  });
  // Keyed digests of the ids of deleted people, for which nothing may be stored.
  await knex.schema.createTable('erased_ids', table => {
    table.string('project_id', 64).notNullable();
    table.string('digest', 64).notNullable();
    table.bigInteger('erased_at').notNullable();
    table.primary(['project_id', 'digest']);
  });
  await knex.schema.createTable('erasures', table => {
    table.string('id', 64).primary();
    table.string('project_id', 64).notNullable();
    // JSON array of the person's ids; null once all their data is deleted.
    table.text('ids');
    table.bigInteger('requested_at').notNullable();
    table.string('requested_by', 255).notNullable();
    table.bigInteger('done_at');
    table.index(['project_id', 'requested_at']);
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of [
    'erasures',
    'erased_ids',
    'person_groups',
    'group_types',
    'person_ids',
    'persons',
    'people_progress',
    'people_version',
  ]) {
    await knex.schema.dropTable(table);
  }
}
