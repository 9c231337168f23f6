import type { Knex } from 'knex';

/** Adds the time at which each credential was last used, in milliseconds since the Unix epoch. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('kit_credential_uses', table => {
    table.string('credential', 100).primary();
    table.bigInteger('used_at').notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('kit_credential_uses');
}
