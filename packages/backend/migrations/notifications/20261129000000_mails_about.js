/**
 * Adds the notification that an email is about. The email is dropped once the notification is read, done
 * or deleted.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.alterTable('slipway_mails', table => {
    // No notification has this id if the user only wants emails.
    table.string('notification_id', 36);
    // Null for notifications to everyone.
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
