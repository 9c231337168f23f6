import type { Knex } from 'knex';

/** Adds reports of applications that request flags that do not exist. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('unknown_flags', table => {
    table.string('name', 100).notNullable();
    table.string('app_name', 200).notNullable();
    table.string('environment', 100).notNullable();
    table.bigInteger('seen_at').notNullable().index();
    table.primary(['name', 'app_name', 'environment']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('unknown_flags');
}
