import type { Knex } from 'knex';

/** Creates the tables. Times are bigint milliseconds since the Unix epoch in SQLite and PostgreSQL. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('jobs', table => {
    table.string('name', 100).primary();
    table.integer('last_number').notNullable();
  });
  // Each row is a trigger, its position in the queue and the resulting build.
  await knex.schema.createTable('builds', table => {
    table.increments('id');
    table.string('job', 100).notNullable();
    table.integer('number').notNullable();
    table.unique(['job', 'number']);
    // The sender's id of the delivery: a repeated delivery results in the same build.
    table.string('delivery', 256);
    table.unique(['job', 'delivery']);
    table.string('state', 16).notNullable();
    table.string('result', 16);
    table.text('reason');
    table.text('cause').notNullable();
    table.string('triggered_by', 256);
    table.text('parameters').notNullable();
    table.text('source');
    table.text('steps').notNullable();
    table.text('tests');
    table.bigInteger('queued_at').notNullable();
    table.bigInteger('due_at').notNullable();
    table.bigInteger('started_at');
    table.bigInteger('finished_at');
    // Fencing: a process may write to a build only while both values are still its own.
    table.integer('attempt').notNullable();
    table.string('worker', 128);
    table.bigInteger('lease_until');
    table.string('stop_requested_by', 256);
    table.index(['state', 'due_at']);
    table.index(['job', 'state']);
    table.index(['worker']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('builds');
  await knex.schema.dropTable('jobs');
}
