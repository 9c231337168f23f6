/**
 * Adds a table with one row, which is updated to check whether the database is writable.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('readiness', table => {
    table.integer('id').primary();
    table.string('written_at', 24).notNullable();
  });
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  await knex.schema.dropTable('readiness');
};
