/**
 * Adds the source of imported workspaces that have never run, and the time at which they are deleted.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.alterTable('workspaces', table => {
    table.string('imported_from', 63);
    table.string('kept_until', 24);
  });
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  await knex.schema.alterTable('workspaces', table => {
    table.dropColumn('imported_from');
    table.dropColumn('kept_until');
  });
};
