import type { Database } from '@slipway/service-kit';

type Knex = Database['knex'];

/** Adds the progress of destinations: how far each has received the events of its project. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('destinations', table => {
    table.string('project_id', 64).notNullable();
    table.string('id', 64).notNullable();
    // The last event that the destination received, by its time of arrival and uuid.
    table.bigInteger('cursor_at').notNullable();
    table.string('cursor_uuid', 36).notNullable();
    table.bigInteger('delivered').notNullable();
    table.integer('failures').notNullable();
    table.text('last_error');
    table.bigInteger('last_success_at');
    table.bigInteger('next_at').notNullable();
    table.bigInteger('leased_until').notNullable();
    table.primary(['project_id', 'id']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('destinations');
}
