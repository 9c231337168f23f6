import type { Knex } from 'knex';

/**
 * Creates bitmaps of the days on which people were present: one per span of 31 days, by team and for all
 * teams ('*'). Distinct people and their days can then be counted from a few rows, however long the
 * period is.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('presence_spans', table => {
    table.string('subject', 96).notNullable();
    table.string('team', 128).notNullable();
    // Days since 1970-01-01, divided by 31.
    table.integer('span').notNullable();
    table.integer('person').notNullable();
    // Bit n is day n of the span.
    table.integer('days').notNullable();
    table.primary(['subject', 'team', 'span', 'person']);
    table.index(['person']);
  });
  // A person has one row per day, so the sum of the bits is their union.
  await knex.raw(
    `INSERT INTO presence_spans (subject, team, span, person, days)
     SELECT subject, team, day / 31, person, SUM(1 << (day % 31))
     FROM presence WHERE person <> 0 GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
  );
  await knex.raw(
    `INSERT INTO presence_spans (subject, team, span, person, days)
     SELECT subject, '*', day / 31, person, SUM(1 << (day % 31))
     FROM (SELECT DISTINCT subject, day, person FROM presence WHERE person <> 0) AS once
     GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
  );
  await knex.schema.createTable('revisions', table => {
    table.string('name', 64).primary();
    table.bigInteger('value').notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('revisions');
  await knex.schema.dropTable('presence_spans');
}
