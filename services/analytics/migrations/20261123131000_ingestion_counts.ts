import type { Database } from '@slipway/service-kit';

type Knex = Database['knex'];

/** Adds the counts for the page about ingestion health. */
export async function up(knex: Knex): Promise<void> {
  // Minutes are counted from 1970-01-01 in UTC.
  await knex.schema.createTable('ingestion_minutes', table => {
    table.string('project_id', 64).notNullable();
    table.integer('minute').notNullable();
    table.bigInteger('received').notNullable();
    table.bigInteger('repeated').notNullable();
    table.bigInteger('repaired').notNullable();
    table.bigInteger('last_at').notNullable();
    table.primary(['project_id', 'minute']);
  });
  // Requests with keys and paths that the service does not know; keys are masked.
  await knex.schema.createTable('unknown_requests', table => {
    // 'key' or 'path'.
    table.string('kind', 8).notNullable();
    table.string('name', 128).notNullable();
    table.bigInteger('requests').notNullable();
    table.bigInteger('last_at').notNullable();
    table.primary(['kind', 'name']);
    table.index(['kind', 'last_at']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('unknown_requests');
  await knex.schema.dropTable('ingestion_minutes');
}
