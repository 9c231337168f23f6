import type { Knex } from 'knex';

/** Adds the name and the description that people give a build. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('builds', table => {
    table.text('about');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('builds', table => {
    table.dropColumn('about');
  });
}
