import type { Knex } from 'knex';

/**
 * Adds decisions that builds wait for, steps kept from an earlier build, and results of
 * single tests.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('build_gates', table => {
    table.integer('build_id').notNullable();
    table.string('step', 400).notNullable();
    table.primary(['build_id', 'step']);
    table.text('approval').notNullable();
    table.bigInteger('opened_at').notNullable();
    // approved or rejected; null while pending.
    table.string('decision', 16);
    table.string('decided_by', 256);
    table.bigInteger('decided_at');
    table.text('comment');
    table.text('inputs');
  });
  await knex.schema.createTable('test_cases', table => {
    // The job with the file: its branches share the history of a test.
    table.string('job', 100).notNullable();
    table.string('test', 32).notNullable();
    table.primary(['job', 'test']);
    table.text('suite').notNullable();
    table.text('name').notNullable();
  });
  await knex.schema.createTable('test_results', table => {
    table.integer('build_id').notNullable();
    table.string('test', 32).notNullable();
    table.primary(['build_id', 'test']);
    table.string('job', 100).notNullable();
    // passed, failed, skipped or flaky (failed and passed in the same build).
    table.string('outcome', 8).notNullable();
    table.integer('duration_ms').notNullable();
    table.string('sha', 64);
    table.bigInteger('finished_at').notNullable();
    table.index(['job', 'test', 'build_id']);
    table.index(['job', 'finished_at']);
  });
  await knex.schema.alterTable('builds', table => {
    // The build from which passed steps are kept, and the names of those steps.
    table.text('rerun');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('builds', table => {
    table.dropColumn('rerun');
  });
  await knex.schema.dropTable('test_results');
  await knex.schema.dropTable('test_cases');
  await knex.schema.dropTable('build_gates');
}
