import type { Knex } from 'knex';

/**
 * Adds the time at which Unleash Edge reported the registration of an instance, in milliseconds since the
 * Unix epoch; null for instances that register themselves.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('client_instances', table => {
    table.bigInteger('edge_registered_at').nullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('client_instances', table => {
    table.dropColumn('edge_registered_at');
  });
}
