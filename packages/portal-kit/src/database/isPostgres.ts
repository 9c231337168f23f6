import type { Knex } from 'knex';

/** Whether a plugin's database is PostgreSQL; it is SQLite otherwise. */
export function isPostgres(knex: Knex): boolean {
  return knex.client.config.client === 'pg';
}
