import type { Knex } from 'knex';

/** Adds the projects that a flag has left, each with the revision of its move, as JSON. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('flags', table => {
    table.text('left_projects').notNullable().defaultTo('{}');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('flags', table => {
    table.dropColumn('left_projects');
  });
}
