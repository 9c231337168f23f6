import type { Knex } from 'knex';

/** Adds secrets that admins manage in the portal; values are encrypted. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('secrets', table => {
    table.string('name', 100).primary();
    table.text('ciphertext').notNullable();
    table.text('jobs').notNullable();
    table.text('branches').notNullable();
    table.bigInteger('updated_at').notNullable();
    table.string('updated_by', 256).notNullable();
  });
  // Also records uses of secrets from the configuration.
  await knex.schema.createTable('secret_uses', table => {
    table.string('name', 100).primary();
    table.bigInteger('used_at').notNullable();
    table.string('used_by', 256).notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('secret_uses');
  await knex.schema.dropTable('secrets');
}
