import type { Knex } from 'knex';

/** Adds the token that has replaced a rotated one; those rotated before have none. */
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
