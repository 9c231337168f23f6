import type { Knex } from 'knex';

/** Indexes the sizes of screenshots, whose sum SQLite would otherwise read from pages full of images. */
export async function up(knex: Knex): Promise<void> {
  // PostgreSQL stores images apart from their rows, which contain the sizes.
  if (knex.client.config.client !== 'pg') {
    await knex.raw(
      'CREATE INDEX screenshots_by_size ON screenshots (octet_length(bytes))',
    );
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX IF EXISTS screenshots_by_size');
}
