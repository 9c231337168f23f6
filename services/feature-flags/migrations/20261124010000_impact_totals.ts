import type { Knex } from 'knex';

/** Adds the totals of impact metrics since their first report, to expose as Prometheus counters. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('impact_totals', table => {
    table.string('name', 200).notNullable();
    table.string('environment', 100).notNullable();
    table.string('labels', 500).notNullable();
    // The minute of the latest report.
    table.bigInteger('starts_at').notNullable().index();
    table.string('kind', 16).notNullable(); // counter, gauge or histogram
    table.double('sum').notNullable();
    table.bigInteger('count').notNullable();
    table.double('last').notNullable();
    table.text('buckets').notNullable();
    table.primary(['name', 'environment', 'labels']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('impact_totals');
}
