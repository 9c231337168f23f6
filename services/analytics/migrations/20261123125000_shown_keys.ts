import type { Database } from '@slipway/service-kit';

type Knex = Database['knex'];

/** Adds project keys that can be shown again, and the expiry of API tokens. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('credentials', table => {
    // Only project keys: they are public, since every page that sends events contains one.
    table.string('shown_key', 255);
    table.bigInteger('expires_at');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('credentials', table => {
    table.dropColumns('shown_key', 'expires_at');
  });
}
