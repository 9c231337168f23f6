/**
 * Which notification a mail is about: a mail is dropped once that is read, done or deleted.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.alterTable('slipway_mails', table => {
    // The id has no notification if the user wants mails only.
    table.string('notification_id', 36);
    // Null for notifications of everyone.
    table.string('user_ref', 255);
    table.string('scope', 255);
  });
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  await knex.schema.alterTable('slipway_mails', table => {
    table.dropColumns('notification_id', 'user_ref', 'scope');
  });
};
