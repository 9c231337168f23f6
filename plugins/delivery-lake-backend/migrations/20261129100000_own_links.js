/**
 * Adds a flag that is 1 if `link_id` may only identify a deployment of the incident's own component,
 * because the sender may not report for other components.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.alterTable('incidents', table => {
    table.smallint('link_is_own').notNullable().defaultTo(0);
  });
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  await knex.schema.alterTable('incidents', table => {
    table.dropColumn('link_is_own');
  });
};
