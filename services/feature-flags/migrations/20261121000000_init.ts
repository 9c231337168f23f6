import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';

/** Creates the tables. Times are milliseconds since the Unix epoch; lists and maps are JSON. */
export async function up(knex: Knex): Promise<void> {
  // Replicas poll this table for changes. Writers lock the row, so that revisions
  // become visible in order.
  await knex.schema.createTable('revisions', table => {
    table.string('subject', 16).primary(); // flags or tokens
    table.bigInteger('revision').notNullable();
    // Distinguishes this database from another one whose revisions start again from 0.
    table.string('lineage', 36).notNullable();
  });
  const lineage = randomUUID();
  await knex('revisions').insert([
    { subject: 'flags', revision: 0, lineage },
    { subject: 'tokens', revision: 0, lineage },
  ]);

  await knex.schema.createTable('flags', table => {
    table.string('name', 100).primary();
    table.string('project', 100).notNullable();
    table.string('type', 64).notNullable();
    table.text('description').notNullable();
    table.boolean('stale').notNullable();
    table.boolean('impression_data').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('updated_at').notNullable();
    table.bigInteger('archived_at');
    // Revision of the latest change: a reader at revision n only reads rows with a higher
    // one.
    table.bigInteger('revision').notNullable().index();
  });
  await knex.schema.createTable('flag_environments', table => {
    table.string('flag_name', 100).notNullable().references('flags.name');
    table.string('environment', 100).notNullable();
    table.boolean('enabled').notNullable();
    table.text('strategies').notNullable();
    table.text('variants').notNullable();
    table.primary(['flag_name', 'environment']);
  });

  await knex.schema.createTable('history', table => {
    table.bigIncrements('id');
    table.string('type', 64).notNullable();
    // A flag's name or a token's id.
    table.string('subject', 100).notNullable();
    table.string('environment', 100);
    table.string('created_by', 255).notNullable();
    table.bigInteger('created_at').notNullable();
    table.text('before');
    table.text('after');
    table.index(['subject', 'id']);
  });

  await knex.schema.createTable('api_tokens', table => {
    table.string('id', 64).primary();
    table.string('name', 100).notNullable();
    table.string('type', 16).notNullable();
    table.text('projects').notNullable();
    table.string('environment', 100).notNullable();
    table.string('hash', 64).notNullable().unique(); // SHA-256 of the whole token
    table.string('created_by', 255).notNullable();
    table.bigInteger('created_at').notNullable();
  });

  await knex.schema.createTable('client_instances', table => {
    table.string('app_name', 200).notNullable();
    table.string('instance_id', 200).notNullable();
    table.string('environment', 100).notNullable();
    table.string('sdk_version', 200);
    table.text('strategies').notNullable();
    table.bigInteger('started_at').notNullable();
    table.bigInteger('interval_ms').notNullable();
    table.bigInteger('seen_at').notNullable().index();
    table.primary(['app_name', 'instance_id', 'environment']);
  });

  await knex.schema.createTable('usage', table => {
    table.string('flag_name', 100).notNullable();
    table.string('environment', 100).notNullable();
    table.string('span', 8).notNullable(); // minute or hour
    table.bigInteger('starts_at').notNullable();
    table.string('app_name', 200).notNullable();
    table.bigInteger('yes').notNullable();
    table.bigInteger('no').notNullable();
    table.primary([
      'flag_name',
      'environment',
      'span',
      'starts_at',
      'app_name',
    ]);
    table.index(['span', 'starts_at']);
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of [
    'usage',
    'client_instances',
    'api_tokens',
    'history',
    'flag_environments',
    'flags',
    'revisions',
  ]) {
    await knex.schema.dropTable(table);
  }
}
