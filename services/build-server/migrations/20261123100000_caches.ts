import type { Knex } from 'knex';

/** Adds the folders that builds cache for later builds, and the upstream build that triggered a build. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('caches', table => {
    table.increments('id');
    // The job with the file: its branches share the cache as far as their scopes allow.
    table.string('job', 100).notNullable();
    // The branch or pull request whose builds write the cache.
    table.string('scope', 600).notNullable();
    table.string('name', 60).notNullable();
    table.string('key', 64).notNullable();
    table.unique(['job', 'scope', 'name', 'key']);
    table.bigInteger('size').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('used_at').notNullable();
  });
  await knex.schema.alterTable('builds', table => {
    table.text('upstream');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('builds', table => {
    table.dropColumn('upstream');
  });
  await knex.schema.dropTable('caches');
}
