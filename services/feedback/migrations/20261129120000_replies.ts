import type { Knex } from 'knex';

/**
 * Adds the threads of feedback: replies and internal notes. Times are milliseconds since the Unix
 * epoch.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('feedback_replies', table => {
    table.string('id', 64).primary();
    table.string('feedback_id', 64).notNullable();
    // Entity reference of the signed-in user who wrote it.
    table.string('author', 256).notNullable();
    table.text('author_name').notNullable();
    table.boolean('from_sender').notNullable();
    table.boolean('internal').notNullable();
    table.text('message').notNullable();
    table.bigInteger('created_at').notNullable();
    table.index(
      ['feedback_id', 'created_at', 'id'],
      'feedback_replies_thread_idx',
    );
  });
  await knex.schema.alterTable('feedback', table => {
    // Excludes internal notes, because senders see it.
    table.integer('reply_count').notNullable().defaultTo(0);
    table.boolean('awaits_reply').notNullable().defaultTo(false);
    table.index(['awaits_reply', 'created_at', 'id'], 'feedback_awaits_idx');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('feedback', table => {
    table.dropIndex(
      ['awaits_reply', 'created_at', 'id'],
      'feedback_awaits_idx',
    );
    table.dropColumns('reply_count', 'awaits_reply');
  });
  await knex.schema.dropTable('feedback_replies');
  await knex('kit_queue').where({ queue: 'reply-notices' }).delete();
}
