/**
 * Creates the table of the public keys that verify the proxy's tokens. It is shared, because every
 * replica publishes the keys of all replicas.
 */
exports.up = async knex => {
  await knex.schema.createTable('service_token_keys', table => {
    table.string('kid', 64).primary();
    table.text('jwk').notNullable();
    // Milliseconds since the Unix epoch.
    table.bigInteger('expires_at').notNullable().index();
  });
};

exports.down = async knex => {
  await knex.schema.dropTable('service_token_keys');
};
