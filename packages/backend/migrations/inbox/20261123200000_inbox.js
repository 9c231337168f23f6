/**
 * Creates the tables of inbox items that were announced to users or that users set aside. Times are
 * milliseconds since the Unix epoch.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('inbox_items', table => {
    table.string('user_ref', 255).notNullable();
    table.string('key', 500).notNullable();
    // When a part last reported the item, accurate to a day.
    table.bigInteger('seen_at').notNullable().index();
    table.bigInteger('announced_at');
    // The end of the lease of the replica that is announcing the item.
    table.bigInteger('leased_until');
    // 'done' or 'snoozed'
    table.string('aside', 16);
    table.bigInteger('aside_until');
    table.primary(['user_ref', 'key']);
  });
  await knex.schema.createTable('inbox_users', table => {
    table.string('user_ref', 255).primary();
    table.bigInteger('checked_at').notNullable().defaultTo(0);
    // When all parts had responded for the first time.
    table.bigInteger('began_at');
    table.bigInteger('visited_at');
    table.index(['checked_at'], 'inbox_users_checked_idx');
  });
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  await knex.schema.dropTable('inbox_users');
  await knex.schema.dropTable('inbox_items');
};
