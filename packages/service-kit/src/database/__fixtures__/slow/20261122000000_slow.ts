import type { Knex } from 'knex';

/** Takes longer than the timeout for statements of a request. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('SELECT pg_sleep(0.6)');
  await knex.schema.createTable('slow', table => table.integer('id'));
}

export async function down(): Promise<void> {}
