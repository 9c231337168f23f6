import type { Knex } from 'knex';

/** Indexes the sizes of screenshots, so that SQLite can add them up without reading pages full of images. */
export async function up(knex: Knex): Promise<void> {
  // PostgreSQL needs no index: it stores images outside their rows, but sizes inside.
  if (knex.client.config.client !== 'pg') {
    await knex.raw(
      'CREATE INDEX screenshots_by_size ON screenshots (octet_length(bytes))',
    );
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX IF EXISTS screenshots_by_size');
}
