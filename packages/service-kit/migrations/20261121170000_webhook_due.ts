import type { Knex } from 'knex';

const TABLE = 'webhook_deliveries';
const OLD = 'webhook_deliveries_due_idx';
const NEW = 'webhook_deliveries_due_endpoint_idx';

/** Adds an index that lets the query for due deliveries skip busy endpoints without reading their rows. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable(TABLE, table => {
    table.index(['state', 'next_attempt_at', 'endpoint_id'], NEW);
    table.dropIndex(['state', 'next_attempt_at'], OLD);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable(TABLE, table => {
    table.index(['state', 'next_attempt_at'], OLD);
    table.dropIndex(['state', 'next_attempt_at', 'endpoint_id'], NEW);
  });
}
