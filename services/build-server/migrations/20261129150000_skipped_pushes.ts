import type { Knex } from 'knex';

/** Adds the last push to a job, or its branch, that was not built because its message said so. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('jobs', table => {
    table.text('skipped');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('jobs', table => {
    table.dropColumn('skipped');
  });
}
