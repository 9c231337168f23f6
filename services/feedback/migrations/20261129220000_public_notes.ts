import type { Knex } from 'knex';

/** Adds public notes to feedback that is open for voting. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('feedback', table => {
    // Null if there is none.
    table.text('public_note');
    // Milliseconds since the Unix epoch.
    table.bigInteger('public_note_at');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('feedback', table => {
    table.dropColumns('public_note', 'public_note_at');
  });
}
