import type { Knex } from 'knex';

/** Creates the tables. Times are milliseconds since the Unix epoch. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('feedback', table => {
    table.string('id', 64).primary();
    table.integer('rating').notNullable();
    table.boolean('rating_inferred').notNullable();
    table.string('category', 64).notNullable();
    table.text('message').notNullable();
    table.text('page');
    table.text('component');
    table.bigInteger('occurred_at').notNullable();
    // The authenticated author: an entity reference or a chat user. Never read from a
    // request body.
    table.string('author', 256);
    table.text('user_name');
    table.text('user_email');
    table.boolean('anonymous').notNullable();
    table.string('source', 16).notNullable();
    // Identifies the chat message it came from; the same message is stored only once.
    table.string('source_key', 256).unique();
    table.string('sentiment', 16).notNullable();
    table.string('priority', 16).notNullable();
    table.string('status', 16).notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('updated_at').notNullable();
    table.string('screenshot_type', 32);
    table.string('issue_tracker', 16);
    table.integer('issue_number');
    table.text('issue_url');
    table.text('issue_title');
    table.index(['created_at', 'id'], 'feedback_created_idx');
    table.index(['status', 'created_at', 'id'], 'feedback_status_idx');
    table.index(['author', 'created_at'], 'feedback_author_idx');
    table.index(['issue_tracker', 'issue_number'], 'feedback_issue_idx');
  });
  await knex.schema.createTable('screenshots', table => {
    table.string('feedback_id', 64).primary();
    table.string('type', 32).notNullable();
    table.binary('bytes').notNullable();
  });
  await knex.schema.createTable('feedback_history', table => {
    table.increments('number');
    table.string('feedback_id', 64).notNullable();
    table.bigInteger('at').notNullable();
    table.string('actor', 256).notNullable();
    table.string('from_status', 16).notNullable();
    table.string('to_status', 16).notNullable();
    table.text('notes').notNullable();
    table.index(['feedback_id', 'number'], 'feedback_history_idx');
  });
  // One row per record that will become an issue, so that a crash never leads to a second issue.
  await knex.schema.createTable('issue_intents', table => {
    table.string('feedback_id', 64).primary();
    table.string('lease', 64);
    table.bigInteger('leased_until').notNullable();
    table.bigInteger('intended_at').notNullable();
    table.integer('attempts').notNullable();
  });
  // The issues of the embedded tracker.
  await knex.schema.createTable('issues', table => {
    table.increments('number');
    table.string('marker', 128).notNullable().unique();
    table.text('title').notNullable();
    table.text('body').notNullable();
    table.string('state', 16).notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('closed_at');
    table.string('closed_by', 256);
    table.index(['state', 'number'], 'issues_state_idx');
  });
  // Senders to notify that their feedback is resolved.
  await knex.schema.createTable('notices', table => {
    table.string('feedback_id', 64).primary();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('next_attempt_at').notNullable();
    table.integer('attempts').notNullable();
  });
  // Messages sent to the bot; each gets one reply.
  await knex.schema.createTable('bot_messages', table => {
    table.string('key', 256).primary();
    table.bigInteger('claimed_at').notNullable();
    table.bigInteger('answered_at');
    table.index(['claimed_at'], 'bot_messages_claimed_idx');
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of [
    'bot_messages',
    'notices',
    'issues',
    'issue_intents',
    'feedback_history',
    'screenshots',
    'feedback',
  ]) {
    await knex.schema.dropTable(table);
  }
}
