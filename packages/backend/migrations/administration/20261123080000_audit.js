/**
 * Creates the audit log of admin actions in the portal. Times are milliseconds since the Unix epoch.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('portal_audit', table => {
    table.increments('id');
    table.bigInteger('at').notNullable();
    table.string('actor', 255).notNullable();
    table.string('action', 255).notNullable();
    table.string('target', 255);
    table.index(['at', 'id'], 'portal_audit_at_idx');
  });
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  await knex.schema.dropTable('portal_audit');
};
