/**
 * Adds the time at which the owner of an unused workspace was notified of its deletion.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.alterTable('workspaces', table => {
    table.string('unused_notice_at', 24);
  });
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  await knex.schema.alterTable('workspaces', table => {
    table.dropColumn('unused_notice_at');
  });
};
