import type { Knex } from 'knex';

/** Adds an expiry time to tokens; existing ones never expire. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('api_tokens', table => {
    table.bigInteger('expires_at').nullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('api_tokens', table => {
    table.dropColumn('expires_at');
  });
}
