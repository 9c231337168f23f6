import type { Knex } from 'knex';

/**
 * Moves pending notices to senders into the kit's queue `sender-notices`, and records that will become
 * issues into its queue `tracker-intents`.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    INSERT INTO kit_queue (queue, id, lane, payload, state, attempts, created_at, due_at)
    SELECT 'sender-notices', feedback_id, feedback_id, '{}', 'waiting', attempts,
      created_at, next_attempt_at
    FROM notices`);
  // Includes validated records without an attempt, which had no row in `issue_intents`.
  await knex.raw(`
    INSERT INTO kit_queue (queue, id, lane, payload, state, attempts, created_at, due_at, lease)
    SELECT 'tracker-intents', f.id, f.id, '{}', 'waiting', COALESCE(i.attempts, 0),
      COALESCE(i.intended_at, f.updated_at),
      CASE WHEN i.leased_until > 0 THEN i.leased_until ELSE f.created_at END, i.lease
    FROM feedback f LEFT JOIN issue_intents i ON i.feedback_id = f.id
    WHERE f.status = 'validated' AND f.issue_number IS NULL`);
  // Records that were attempted and have since changed status: an issue may still be about to
  // appear.
  await knex.raw(`
    INSERT INTO kit_queue (queue, id, lane, payload, state, attempts, created_at, due_at, lease)
    SELECT 'tracker-intents', f.id, f.id, '{}', 'cancelled', i.attempts,
      i.intended_at, i.leased_until, i.lease
    FROM issue_intents i JOIN feedback f ON f.id = i.feedback_id
    WHERE f.status <> 'validated' AND f.issue_number IS NULL AND i.attempts > 0`);
  await knex.schema.dropTable('issue_intents');
  await knex.schema.dropTable('notices');
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.createTable('issue_intents', table => {
    table.string('feedback_id', 64).primary();
    table.string('lease', 64);
    table.bigInteger('leased_until').notNullable();
    table.bigInteger('intended_at').notNullable();
    table.integer('attempts').notNullable();
  });
  await knex.schema.createTable('notices', table => {
    table.string('feedback_id', 64).primary();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('next_attempt_at').notNullable();
    table.integer('attempts').notNullable();
  });
  await knex.raw(`
    INSERT INTO issue_intents (feedback_id, lease, leased_until, intended_at, attempts)
    SELECT id, lease, CASE WHEN lease IS NULL THEN 0 ELSE due_at END, created_at, attempts
    FROM kit_queue WHERE queue = 'tracker-intents' AND attempts > 0`);
  await knex.raw(`
    INSERT INTO notices (feedback_id, created_at, next_attempt_at, attempts)
    SELECT id, created_at, due_at, attempts
    FROM kit_queue WHERE queue = 'sender-notices' AND state = 'waiting'`);
  await knex('kit_queue')
    .whereIn('queue', ['tracker-intents', 'sender-notices'])
    .delete();
}
