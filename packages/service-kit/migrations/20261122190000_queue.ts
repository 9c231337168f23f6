import type { Knex } from 'knex';

/**
 * Creates one table for all pending work of a service, and moves webhook deliveries into its queue
 * `webhooks`. Times are milliseconds since the Unix epoch.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('kit_queue', table => {
    table.string('queue', 64).notNullable();
    table.string('id', 64).notNullable();
    // Groups items that a worker can skip together, e.g. the deliveries to one endpoint.
    table.string('lane', 64).notNullable();
    table.text('payload').notNullable(); // JSON
    table.string('state', 16).notNullable(); // waiting, done, failed or cancelled
    table.integer('attempts').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('due_at').notNullable();
    table.bigInteger('ended_at');
    table.string('lease', 64);
    table.text('outcome'); // JSON: outcome of the last finished attempt
    table.primary(['queue', 'id']);
    // Lets the query skip items in a busy lane without reading them.
    table.index(['queue', 'state', 'due_at', 'lane'], 'kit_queue_due_idx');
    table.index(['queue', 'created_at'], 'kit_queue_created_idx');
  });
  const object =
    knex.client.config.client === 'pg' ? 'json_build_object' : 'json_object';
  await knex.raw(`
    INSERT INTO kit_queue (queue, id, lane, payload, state, attempts,
      created_at, due_at, ended_at, outcome)
    SELECT 'webhooks', id, endpoint_id,
      CAST(${object}('event', event, 'body', payload) AS TEXT),
      CASE state WHEN 'pending' THEN 'waiting' WHEN 'delivered' THEN 'done' ELSE 'failed' END,
      attempts, created_at, next_attempt_at, delivered_at,
      CASE WHEN attempts = 0 THEN NULL
        ELSE CAST(${object}('status', last_status, 'error', last_error) AS TEXT) END
    FROM webhook_deliveries`);
  await knex.schema.dropTable('webhook_deliveries');
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.createTable('webhook_deliveries', table => {
    table.string('id', 64).primary();
    table.string('endpoint_id', 64).notNullable();
    table.string('event', 128).notNullable();
    table.text('payload').notNullable();
    table.string('state', 16).notNullable();
    table.integer('attempts').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('next_attempt_at').notNullable();
    table.bigInteger('delivered_at');
    table.integer('last_status');
    table.text('last_error');
    table.index(
      ['state', 'next_attempt_at', 'endpoint_id'],
      'webhook_deliveries_due_endpoint_idx',
    );
    table.index(['created_at'], 'webhook_deliveries_created_idx');
  });
  const member = (column: string, name: string) =>
    knex.client.config.client === 'pg'
      ? `CAST(${column} AS json) ->> '${name}'`
      : `${column} ->> '${name}'`;
  await knex.raw(`
    INSERT INTO webhook_deliveries (id, endpoint_id, event, payload, state,
      attempts, created_at, next_attempt_at, delivered_at, last_status, last_error)
    SELECT id, lane, ${member('payload', 'event')}, ${member('payload', 'body')},
      CASE state WHEN 'waiting' THEN 'pending' WHEN 'done' THEN 'delivered' ELSE 'given_up' END,
      attempts, created_at, due_at,
      CASE state WHEN 'done' THEN ended_at END,
      CAST(${member('outcome', 'status')} AS INTEGER), ${member('outcome', 'error')}
    FROM kit_queue WHERE queue = 'webhooks'`);
  await knex.schema.dropTable('kit_queue');
}
