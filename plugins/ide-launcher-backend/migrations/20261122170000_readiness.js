/**
 * One row, which is written to see whether the database can be.
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
