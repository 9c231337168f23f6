import type { Knex } from 'knex';

/** Adds the owner of a project: a group, or the owners of a component or system in the catalog. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('projects', table => {
    table.string('owner', 255);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('projects', table => {
    table.dropColumn('owner');
  });
}
