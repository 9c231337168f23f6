/**
 * Adds the time at which each configured forge last sent a delivery with a valid signature, in
 * milliseconds since the Unix epoch.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('forge_deliveries', table => {
    table.string('forge', 16).primary();
    table.bigInteger('last_delivery_at').notNullable();
  });
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  await knex.schema.dropTable('forge_deliveries');
};
