import type { Knex } from 'knex';

/** Marks jobs that were created from the server's sample instead of a file. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('sample_jobs', table => {
    table.string('name', 100).primary();
    table.string('owner', 255).notNullable();
    table.string('service', 200).notNullable();
    table.string('repository', 255).notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('sample_jobs');
}
