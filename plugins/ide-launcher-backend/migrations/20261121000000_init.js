/**
 * Creates the tables. Timestamps are ISO 8601 text in UTC with milliseconds, which sorts chronologically
 * and works the same in SQLite and PostgreSQL.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('workspaces', table => {
    table.string('id', 64).primary();
    table.string('owner', 512).notNullable();
    table.string('namespace', 63).notNullable();
    table.string('name', 63).notNullable();
    table.string('status', 16).notNullable();
    table.boolean('failed').notNullable();
    table.text('status_message');
    table.boolean('deleting').notNullable().defaultTo(false);
    table.text('devfile_url').notNullable();
    table.string('devfile_name', 255).notNullable();
    table.string('devfile_version', 255);
    table.text('devfile').notNullable();
    table.text('editor');
    table.text('steps').notNullable();
    table.text('warnings').notNullable();
    table.string('created_at', 32).notNullable();
    table.string('started_at', 32);
    table.string('last_used_at', 32).notNullable();
    table.string('extended_until', 32);
    table.unique(['namespace', 'name'], {
      indexName: 'workspaces_namespace_name_uniq',
    });
    table.index(['owner', 'created_at'], 'workspaces_owner_idx');
  });

  await knex.schema.createTable('workspace_logs', table => {
    table
      .string('workspace_id', 64)
      .notNullable()
      .references('id')
      .inTable('workspaces')
      .onDelete('CASCADE');
    table.integer('seq').notNullable();
    table.string('at', 32).notNullable();
    table.string('source', 16).notNullable();
    table.text('text').notNullable();
    table.primary(['workspace_id', 'seq']);
  });

  await knex.schema.createTable('ide_grants', table => {
    table.string('token_hash', 64).primary();
    table.string('kind', 16).notNullable();
    table
      .string('workspace_id', 64)
      .notNullable()
      .references('id')
      .inTable('workspaces')
      .onDelete('CASCADE');
    table.string('owner', 512).notNullable();
    table.string('expires_at', 32).notNullable();
    table.index(['workspace_id'], 'ide_grants_workspace_idx');
  });
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  await knex.schema.dropTable('ide_grants');
  await knex.schema.dropTable('workspace_logs');
  await knex.schema.dropTable('workspaces');
};
