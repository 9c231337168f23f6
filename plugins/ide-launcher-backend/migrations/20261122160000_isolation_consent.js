/**
 * Adds the admin's acceptance of workspaces without isolation: one row, or none.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('isolation_consent', table => {
    table.integer('id').primary();
    table.string('given_by', 255).notNullable();
    table.string('given_at', 24).notNullable();
  });
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  await knex.schema.dropTable('isolation_consent');
};
