import type { Knex } from 'knex';

/** Adds the token that replaced a rotated token; null for tokens rotated before this migration. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('api_tokens', table => {
    table.string('replaced_by', 64).nullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('api_tokens', table => {
    table.dropColumn('replaced_by');
  });
}
