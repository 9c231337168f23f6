import type { Database } from '@slipway/service-kit';

type Knex = Database['knex'];

/**
 * Creates the first tables. Times are milliseconds since the Unix epoch (bigint). Events
 * themselves are stored elsewhere.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('projects', table => {
    table.string('id', 64).primary();
    table.string('name', 100).notNullable();
    table.bigInteger('created_at').notNullable();
    table.string('created_by', 255).notNullable();
  });
  await knex.schema.createTable('credentials', table => {
    table.string('id', 64).primary();
    table
      .string('project_id', 64)
      .notNullable()
      .references('id')
      .inTable('projects');
    // 'capture' or 'query'.
    table.string('kind', 16).notNullable();
    table.string('name', 100).notNullable();
    // Only the SHA-256 of the credential, and its last characters so that people can
    // recognise it.
    table.string('sha256', 64).notNullable().unique();
    table.string('hint', 16).notNullable();
    // 'configuration' or 'portal'.
    table.string('origin', 16).notNullable();
    table.bigInteger('created_at').notNullable();
    table.string('created_by', 255).notNullable();
    table.bigInteger('revoked_at');
    table.index(['project_id']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('credentials');
  await knex.schema.dropTable('projects');
}
