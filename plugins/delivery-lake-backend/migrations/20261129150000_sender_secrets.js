/**
 * Adds the secrets that senders such as PagerDuty create themselves; null until an admin has entered the
 * secret. Connections to these senders have an empty `secret`.
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
