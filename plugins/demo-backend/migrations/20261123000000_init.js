/**
 * Adds the state of the demo organisation: one row while it exists or is being loaded or
 * removed, otherwise none. Times are milliseconds since the Unix epoch.
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('demo_state', table => {
    table.integer('id').primary(); // always 1
    table.string('phase', 16).notNullable(); // loading, loaded, removing or failed
    table.string('started_by', 255).notNullable();
    table.bigInteger('started_at').notNullable();
    table.bigInteger('updated_at').notNullable();
    table.text('steps').notNullable(); // JSON
    table.text('error');
  });
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  await knex.schema.dropTable('demo_state');
};
