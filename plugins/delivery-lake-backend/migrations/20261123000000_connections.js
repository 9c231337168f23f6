/** @param {import('knex').Knex} knex */
exports.up = async function up(knex) {
  // Repositories whose webhooks were set up in the portal. Secrets are plain text, because verifying
  // an HMAC needs the secret itself.
  await knex.schema.createTable('connections', table => {
    table.string('id', 64).primary();
    table.string('forge', 16).notNullable();
    table.string('repository', 255).notNullable();
    // In lower case, because forges ignore case in names.
    table.string('repository_key', 255).notNullable();
    table.string('secret', 64).notNullable();
    table.string('created_by', 255).notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('last_delivery_at').nullable();
    table.string('last_event', 128).nullable();
    table.integer('last_accepted').nullable();
    table.text('last_ignored').nullable();
    table.bigInteger('last_refused_at').nullable();
    table.unique(['forge', 'repository_key']);
  });
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  await knex.schema.dropTable('connections');
};
