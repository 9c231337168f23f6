/**
 * Secrets of connections whose sender creates the secret itself, as PagerDuty does. Null until an
 * admin has entered it; for these connections, `secret` is empty.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.alterTable('connections', table => {
    table.string('sender_secret', 255).nullable();
  });
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  await knex.schema.alterTable('connections', table => {
    table.dropColumn('sender_secret');
  });
};
