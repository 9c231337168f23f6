import type { Database } from '@slipway/service-kit';

type Knex = Database['knex'];

/**
 * Adds marks of how far each replica has moved its events to a shared store, so that
 * destinations wait for events that are still in a journal.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('journal_marks', table => {
    table.string('journal', 64).notNullable();
    // Empty for all projects.
    table.string('project_id', 64).notNullable();
    // The store has all events of the journal that arrived before this time.
    table.bigInteger('moved_before').notNullable();
    table.bigInteger('published_at').notNullable();
    table.primary(['journal', 'project_id']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('journal_marks');
}
