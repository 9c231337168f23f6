import type { Knex } from 'knex';

/** Adds hourly counts of the variants that applications got, and the last use of each token. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('usage_variants', table => {
    table.string('flag_name', 100).notNullable();
    table.string('environment', 100).notNullable();
    table.bigInteger('starts_at').notNullable();
    table.string('app_name', 200).notNullable();
    table.string('variant', 100).notNullable();
    table.bigInteger('count').notNullable();
    table.primary([
      'flag_name',
      'environment',
      'starts_at',
      'app_name',
      'variant',
    ]);
    table.index(['starts_at']);
  });
  await knex.schema.alterTable('api_tokens', table => {
    table.bigInteger('last_used_at');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('api_tokens', table => {
    table.dropColumn('last_used_at');
  });
  await knex.schema.dropTable('usage_variants');
}
