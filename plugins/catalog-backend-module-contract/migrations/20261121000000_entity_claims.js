/**
 * Creates the table of the locations that claim entities. Times are milliseconds since the Unix epoch;
 * entity refs have at most three parts of 63 characters.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('entity_claims', table => {
    table.string('entity_ref', 255).primary();
    table.text('location').notNullable(); // type:target
    table.bigInteger('claimed_at').notNullable();
    table.index(['claimed_at'], 'entity_claims_claimed_at_idx');
  });
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  await knex.schema.dropTable('entity_claims');
};
