import type { Knex } from 'knex';

/** Adds the times at which flags entered lifecycle stages, as far as stored usage and marks show them. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('flag_stages', table => {
    table.string('flag_name', 100).notNullable();
    // pre-live, live or completed; initial for a restored flag, which starts over
    table.string('stage', 16).notNullable();
    table.bigInteger('entered_at').notNullable();
    table.primary(['flag_name', 'stage']);
  });
  for (const [stage, condition] of [
    ['pre-live', `(e.type IS NULL OR e.type <> 'production' OR u.yes = 0)`],
    ['live', `e.type = 'production' AND u.yes > 0`],
  ]) {
    await knex.raw(
      `INSERT INTO flag_stages (flag_name, stage, entered_at)
      SELECT u.flag_name, '${stage}', MIN(u.starts_at)
      FROM usage u LEFT JOIN environments e ON e.name = u.environment
      WHERE u.span = 'hour' AND ${condition}
      GROUP BY u.flag_name`,
    );
  }
  const stale: { name: string; updated_at: number }[] = await knex('flags')
    .where({ stale: true })
    .select('name', 'updated_at');
  await knex.batchInsert(
    'flag_stages',
    stale.map(({ name, updated_at }) => ({
      flag_name: name,
      stage: 'completed',
      entered_at: updated_at,
    })),
    100,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('flag_stages');
}
