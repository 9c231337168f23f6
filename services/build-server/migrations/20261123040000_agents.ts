import type { Knex } from 'knex';

/** Adds agents, which run builds on other machines. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('agents', table => {
    table.string('id', 32).primary();
    table.string('name', 64).notNullable().unique();
    table.string('token_sha256', 64).notNullable().unique();
    table.text('labels').notNullable();
    table.string('state', 16).notNullable();
    table.integer('capacity').notNullable();
    // Identifies the agent's process; orders to an earlier process are lost.
    table.string('session', 32);
    table.string('version', 64);
    table.text('executor');
    table.bigInteger('seen_at');
    table.bigInteger('created_at').notNullable();
    table.string('created_by', 256).notNullable();
  });
  await knex.schema.createTable('agent_enrolments', table => {
    table.string('token_sha256', 64).primary();
    table.text('labels').notNullable();
    table.bigInteger('created_at').notNullable();
    table.string('created_by', 256).notNullable();
    table.bigInteger('expires_at').notNullable();
  });
  await knex.schema.alterTable('builds', table => {
    // When the agent that claimed the build confirmed its start; nothing runs before that.
    table.bigInteger('accepted_at');
    // built_on: name of the agent, which may no longer exist; null for the server
    // itself. lost_attempts: attempts that ended because their agent was lost.
    table.string('built_on', 64);
    table.integer('lost_attempts').notNullable().defaultTo(0);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('builds', table => {
    table.dropColumns('accepted_at', 'built_on', 'lost_attempts');
  });
  await knex.schema.dropTable('agent_enrolments');
  await knex.schema.dropTable('agents');
}
