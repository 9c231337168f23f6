/**
 * Adds the owner of a namespace: the owner of its first workspace keeps it until its last workspace is
 * removed.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('workspace_namespaces', table => {
    table.string('name', 63).primary();
    table.string('owner', 512).notNullable();
  });
  const workspaces = await knex('workspaces')
    .select('namespace', 'owner')
    .orderBy('created_at', 'asc');
  const owners = new Map();
  for (const { namespace, owner } of workspaces) {
    if (!owners.has(namespace)) {
      owners.set(namespace, owner);
    }
  }
  for (const [name, owner] of owners) {
    await knex('workspace_namespaces').insert({ name, owner });
  }
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  await knex.schema.dropTable('workspace_namespaces');
};
