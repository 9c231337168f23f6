import type { Database } from '@slipway/service-kit';

type Knex = Database['knex'];

/** Adds destinations that admins create in the portal, and the last deliveries of all destinations. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('portal_destinations', table => {
    table.string('project_id', 64).notNullable();
    table.string('id', 64).notNullable();
    table.string('kind', 16).notNullable();
    // Shown in lists; without secrets.
    table.text('address').notNullable();
    // Names of events as JSON; null for all.
    table.text('events');
    // The settings with their secrets.
    table.text('ciphertext').notNullable();
    table.bigInteger('paused_at');
    table.bigInteger('created_at').notNullable();
    table.string('created_by', 255).notNullable();
    table.primary(['project_id', 'id']);
  });
  await knex.schema.createTable('destination_deliveries', table => {
    table.increments('seq');
    table.string('project_id', 64).notNullable();
    table.string('destination_id', 64).notNullable();
    table.bigInteger('at').notNullable();
    table.integer('events').notNullable();
    table.integer('status');
    table.text('error');
    table.integer('duration_ms').notNullable();
    table.boolean('is_test').notNullable();
    table.index(['project_id', 'destination_id', 'seq']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('destination_deliveries');
  await knex.schema.dropTable('portal_destinations');
}
