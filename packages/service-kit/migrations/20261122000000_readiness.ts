import type { Knex } from 'knex';

/** Creates a table with one row, which `/ready` updates to check that the database accepts writes. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('kit_readiness', table => {
    table.integer('id').primary();
    table.bigInteger('written_at').notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('kit_readiness');
}
