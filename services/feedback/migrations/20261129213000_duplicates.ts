import type { Knex } from 'knex';

/** Adds the data for undoing the merging of duplicates. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('feedback_duplicate_votes', table => {
    // Id of a duplicate, and entity reference of a user who voted for it. The vote now counts for
    // the record that the duplicate was merged into.
    table.string('feedback_id', 64).notNullable();
    table.string('voter', 256).notNullable();
    table.primary(['feedback_id', 'voter']);
    table.index(['voter'], 'feedback_duplicate_votes_voter_idx');
  });
  await knex.schema.alterTable('feedback_votes', table => {
    // True if the user voted for a duplicate of the record, but not for the record itself.
    table.boolean('from_duplicate').notNullable().defaultTo(false);
  });
  await knex.schema.alterTable('feedback', table => {
    // The record that it was first merged into, which may itself have been merged into
    // `merged_into` since.
    table.string('duplicate_of', 64);
    table.string('status_before_merge', 32);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('feedback', table => {
    table.dropColumns('duplicate_of', 'status_before_merge');
  });
  await knex.schema.alterTable('feedback_votes', table => {
    table.dropColumn('from_duplicate');
  });
  await knex.schema.dropTable('feedback_duplicate_votes');
}
