import type { Knex } from 'knex';

/** Adds who disabled a job; null for a job that is enabled. */
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
