import type { Knex } from 'knex';

/**
 * Creates the table of people who were reminded of the pulse survey, for as long as this prevents another
 * reminder. Separate from `people`, because people in the catalog may have no row there.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('pulse_reminders', table => {
    table.string('hash', 64).primary();
    table.bigInteger('reminded_at').notNullable();
    table.index(['reminded_at']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('pulse_reminders');
}
