import type { Knex } from 'knex';

/** Adds folders that builds cache for later ones, and which build triggered which. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('caches', table => {
    table.increments('id');
    // The job with the file: its branches share the cache as far as their scopes allow.
    table.string('job', 100).notNullable();
    // The builds that write it: those of a branch or a pull request.
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
