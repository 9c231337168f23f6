import type { Knex } from 'knex';

/** Adds the last use of tokens from the configuration, which are not stored in the database. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('configured_token_uses', table => {
    // SHA-256 of the token, because its position in the configuration can change.
    table.string('hash', 64).primary();
    table.bigInteger('last_used_at').notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('configured_token_uses');
}
