import type { Knex } from 'knex';

/**
 * Adds protected environments, change requests and schedules. Times are milliseconds
 * since the Unix epoch; lists and objects are JSON.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('environments', table => {
    table.boolean('protected').notNullable().defaultTo(false);
    table.integer('required_approvals').notNullable().defaultTo(1);
  });

  await knex.schema.createTable('change_requests', table => {
    table.increments('id');
    table.string('flag_name', 100).notNullable();
    table.string('environment', 100).notNullable();
    table.string('state', 16).notNullable();
    table.text('change').notNullable();
    table.string('created_by', 255).notNullable();
    // The authors, who must not approve it.
    table.text('authors').notNullable();
    table.text('reviews').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('updated_at').notNullable();
    table.bigInteger('scheduled_at');
    table.string('ended_by', 255);
    table.index(['flag_name', 'environment']);
    table.index(['state', 'id']);
  });

  await knex.schema.createTable('schedules', table => {
    table.increments('id');
    table.string('flag_name', 100).notNullable();
    table.string('environment', 100).notNullable();
    table.string('state', 16).notNullable();
    table.text('reason');
    table.string('strategy_id', 100);
    table.text('steps').notNullable();
    // The index of the next step.
    table.integer('next_step').notNullable();
    table.text('limits').notNullable();
    table.string('when_crossed', 16).notNullable();
    // Whether it may change a protected environment.
    table.boolean('approved').notNullable();
    table.string('created_by', 255).notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('updated_at').notNullable();
    table.index(['flag_name', 'environment']);
    table.index(['state', 'id']);
  });

  // Metrics reported by applications, summed by minute.
  await knex.schema.createTable('impact_metrics', table => {
    table.string('name', 200).notNullable();
    table.string('environment', 100).notNullable();
    table.bigInteger('starts_at').notNullable();
    table.string('kind', 16).notNullable(); // counter, gauge or histogram
    table.string('labels', 500).notNullable();
    table.double('sum').notNullable();
    table.bigInteger('count').notNullable();
    table.double('last').notNullable();
    table.text('buckets').notNullable();
    table.primary(['name', 'environment', 'starts_at', 'labels']);
    table.index(['starts_at']);
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['impact_metrics', 'schedules', 'change_requests']) {
    await knex.schema.dropTable(table);
  }
  await knex.schema.alterTable('environments', table => {
    table.dropColumns('protected', 'required_approvals');
  });
}
