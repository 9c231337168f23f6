import type { Knex } from 'knex';

/** Creates the audit log. Times are milliseconds since the Unix epoch. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('kit_audit', table => {
    table.increments('id');
    table.bigInteger('at').notNullable();
    table.string('actor', 255).notNullable();
    table.string('action', 255).notNullable();
    table.string('target', 255);
    table.index(['at', 'id'], 'kit_audit_at_idx');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('kit_audit');
}
