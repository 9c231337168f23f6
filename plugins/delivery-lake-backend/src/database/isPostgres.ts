import type { Knex } from 'knex';

/** Whether the lake is in PostgreSQL; it is in SQLite otherwise. */
export function isPostgres(knex: Knex): boolean {
  return knex.client.config.client === 'pg';
}
