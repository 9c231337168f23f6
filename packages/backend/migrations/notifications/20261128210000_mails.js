/**
 * Creates the queue of emails that the mail server has not accepted yet. Times are milliseconds since
 * the Unix epoch.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('slipway_mails', table => {
    table.string('id', 36).primary();
    // Sender, recipient, subject and texts, as JSON.
    table.text('mail').notNullable();
    table.bigInteger('created_at').notNullable();
    table.integer('attempts').notNullable().defaultTo(0);
    table.bigInteger('next_at').notNullable().index();
    // The end of the lease of the replica that is sending the email.
    table.bigInteger('leased_until');
  });
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  await knex.schema.dropTable('slipway_mails');
};
