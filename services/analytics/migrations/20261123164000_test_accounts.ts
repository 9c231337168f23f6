import type { Database } from '@slipway/service-kit';

type Knex = Database['knex'];

/** Adds the filters that exclude test accounts, and whether new insights apply them. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('projects', table => {
    table.text('test_account_filters');
    table.boolean('filters_test_accounts').notNullable().defaultTo(false);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('projects', table => {
    table.dropColumn('test_account_filters');
    table.dropColumn('filters_test_accounts');
  });
}
