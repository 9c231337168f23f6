/**
 * Adds the revision and the starter project that were chosen for a devfile, so that reading it again
 * applies the same choices.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.alterTable('workspaces', table => {
    table.string('revision', 255);
    table.string('starter_project', 63);
  });
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  await knex.schema.alterTable('workspaces', table => {
    table.dropColumn('revision');
    table.dropColumn('starter_project');
  });
};
