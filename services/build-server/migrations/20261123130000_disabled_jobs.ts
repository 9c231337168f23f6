import type { Knex } from 'knex';

/** Adds the user who disabled a job; null for enabled jobs. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('jobs', table => {
    table.string('disabled_by', 256);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('jobs', table => {
    table.dropColumn('disabled_by');
  });
}
