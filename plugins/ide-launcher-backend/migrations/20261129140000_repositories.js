/**
 * Adds the address of the repository that a workspace was created from. When its devfile is read again,
 * it is searched for in this repository again.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.alterTable('workspaces', table => {
    table.text('repository_url');
  });
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  await knex.schema.alterTable('workspaces', table => {
    table.dropColumn('repository_url');
  });
};
