/** @param {import('knex').Knex} knex */
exports.up = knex =>
  knex.schema.createTable('things', table => {
    table.string('id').primary();
  });

/** @param {import('knex').Knex} knex */
exports.down = knex => knex.schema.dropTable('things');
