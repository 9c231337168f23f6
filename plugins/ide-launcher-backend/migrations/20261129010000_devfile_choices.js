/**
 * Adds what was chosen from a devfile, which is chosen again when the devfile is read again.
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
