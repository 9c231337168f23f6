/**
 * Adds the warnings of the latest start, which the next one replaces.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.alterTable('workspaces', table => {
    table.text('start_warnings');
  });
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  await knex.schema.alterTable('workspaces', table => {
    table.dropColumn('start_warnings');
  });
};
