/**
 * Adds the time since which a user has been missing from the catalog, in milliseconds since the Unix
 * epoch; null for users in the catalog.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.alterTable('inbox_users', table => {
    table.bigInteger('missing_since').index();
  });
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  await knex.schema.alterTable('inbox_users', table => {
    table.dropColumn('missing_since');
  });
};
