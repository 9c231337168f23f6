import type { Knex } from 'knex';

/** Adds the channels that get notices of changes. Lists are JSON; `["*"]` means all. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('notice_channels', table => {
    table.increments('id');
    table.string('name', 100).notNullable().unique();
    table.string('kind', 16).notNullable(); // slack, mattermost, teams or webhook
    // Plain text, like the secrets of webhooks, because requests need both.
    table.text('url').notNullable();
    table.text('secret');
    table.text('projects').notNullable();
    table.text('environments').notNullable();
    table.text('events').notNullable();
    table.boolean('enabled').notNullable();
    table.string('created_by', 255).notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('updated_at').notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('notice_channels');
}
