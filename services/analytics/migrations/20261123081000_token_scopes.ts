import type { Database } from '@slipway/service-kit';

type Knex = Database['knex'];

/** Adds the scopes of API tokens. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('credentials', table => {
    // JSON array of scope names; null for every scope.
    table.text('scopes');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('credentials', table => {
    table.dropColumn('scopes');
  });
}
