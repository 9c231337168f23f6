import type { Knex } from 'knex';

/** Creates the tables of webhooks. Times are milliseconds since the Unix epoch. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('webhook_endpoints', table => {
    table.string('id', 64).primary();
    table.text('url').notNullable();
    // Plain text, because a hash could not sign deliveries.
    table.text('secret').notNullable();
    table.text('events').notNullable(); // JSON array; ["*"] means every event
    table.bigInteger('created_at').notNullable();
  });
  await knex.schema.createTable('webhook_deliveries', table => {
    table.string('id', 64).primary();
    table.string('endpoint_id', 64).notNullable();
    table.string('event', 128).notNullable();
    table.text('payload').notNullable();
    table.string('state', 16).notNullable(); // pending, delivered or given_up
    table.integer('attempts').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('next_attempt_at').notNullable();
    table.bigInteger('delivered_at');
    table.integer('last_status');
    table.text('last_error');
    table.index(['state', 'next_attempt_at'], 'webhook_deliveries_due_idx');
    table.index(['created_at'], 'webhook_deliveries_created_idx');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('webhook_deliveries');
  await knex.schema.dropTable('webhook_endpoints');
}
