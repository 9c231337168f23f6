import type { Knex } from 'knex';

/** Lets a token end at a time; those made before have none. */
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
