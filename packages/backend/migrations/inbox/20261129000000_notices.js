/**
 * Adds the entity that an item is about, and the scope of the notification that its part already sent.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.alterTable('inbox_items', table => {
    table.string('entity_ref', 255);
    table.string('scope', 255);
  });
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  await knex.schema.alterTable('inbox_items', table => {
    table.dropColumns('entity_ref', 'scope');
  });
};
