import type { Knex } from 'knex';

/** Adds the last push to a job or branch that was skipped because of its commit message. */
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
