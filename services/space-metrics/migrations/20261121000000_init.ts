import type { Knex } from 'knex';

/**
 * Creates the tables. Times are milliseconds since the Unix epoch (bigint), days are local days since
 * 1970-01-01 (integer): both can be compared and subtracted the same way in SQLite and PostgreSQL.
 */
export async function up(knex: Knex): Promise<void> {
  await createPeople(knex);
  await createRecords(knex);
  await createRollups(knex);
  await createReleases(knex);
  await knex.schema.createTable('settings', table => {
    table.string('name', 64).primary();
    table.text('value').notNullable();
  });
}

/**
 * Creates the tables of people. They contain no names: a person is a keyed hash of the user id, and
 * has a number within this database.
 */
async function createPeople(knex: Knex): Promise<void> {
  await knex.schema.createTable('people', table => {
    table.increments('id');
    table.string('hash', 64).notNullable().unique();
    table.bigInteger('first_commit_at');
    table.integer('first_commit_day');
    table.string('first_commit_team', 128);
    table.bigInteger('reminder_snoozed_until');
    table.boolean('reminder_opted_out').notNullable().defaultTo(false);
    table.index(['first_commit_day']);
  });
}

async function createRecords(knex: Knex): Promise<void> {
  await knex.schema.createTable('pulse_surveys', table => {
    describeRecord(table);
    table.integer('overall_satisfaction').notNullable();
    table.integer('productivity_this_week').notNullable();
    table.integer('recommend');
    table.text('blockers').notNullable();
    table.text('wins').notNullable();
  });
  await knex.schema.createTable('friction_logs', table => {
    describeRecord(table);
    table.string('category', 64).notNullable();
    table.string('severity', 16).notNullable();
    table.integer('time_lost_minutes').notNullable();
    table.text('description').notNullable();
    table.index(['category', 'team', 'day']);
  });
  await knex.schema.createTable('cognitive_loads', table => {
    describeRecord(table);
    table.text('task').notNullable();
    for (const score of [
      'mental_demand',
      'physical_demand',
      'temporal_demand',
      'performance',
      'effort',
      'frustration',
    ]) {
      table.double(score).notNullable();
    }
  });
  await knex.schema.createTable('activity_events', table => {
    table.string('source', 128).notNullable();
    table.string('event_id', 256).notNullable();
    table.primary(['source', 'event_id']);
    table.string('kind', 32).notNullable();
    table.integer('person').references('id').inTable('people');
    table.string('team', 128).notNullable();
    table.bigInteger('occurred_at').notNullable();
    table.integer('day').notNullable();
    table.integer('amount').notNullable();
    // For an amount without a person, the minimum number of people who contributed to it.
    table.integer('people').notNullable();
    table.string('result', 16);
    table.index(['person']);
    table.index(['day']);
  });
}

function describeRecord(table: Knex.CreateTableBuilder): void {
  table.string('id', 64).primary();
  table.integer('person').notNullable().references('id').inTable('people');
  table.string('team', 128).notNullable();
  table.bigInteger('occurred_at').notNullable();
  table.integer('day').notNullable();
  table.index(['person', 'occurred_at']);
  table.index(['day']);
}

async function createRollups(knex: Knex): Promise<void> {
  await knex.schema.createTable('daily_totals', table => {
    // '*' is the sum over all teams.
    table.string('team', 128).notNullable();
    table.string('measure', 64).notNullable();
    table.integer('day').notNullable();
    table.bigInteger('total').notNullable();
    table.primary(['team', 'measure', 'day']);
  });
  await knex.schema.createTable('presence', table => {
    table.string('subject', 96).notNullable();
    table.string('team', 128).notNullable();
    table.integer('day').notNullable();
    // 0 represents several people (`people`) who cannot be distinguished.
    table.integer('person').notNullable();
    table.integer('people').notNullable();
    table.primary(['subject', 'team', 'day', 'person']);
    table.index(['subject', 'day', 'person']);
    table.index(['person']);
  });
  // The counters exposed as metrics, which never decrease, even if data is deleted.
  await knex.schema.createTable('tallies', table => {
    table.string('name', 64).notNullable();
    table.string('team', 128).notNullable();
    table.bigInteger('total').notNullable();
    table.primary(['name', 'team']);
  });
}

async function createReleases(knex: Knex): Promise<void> {
  await knex.schema.createTable('release_states', table => {
    table.string('subject', 96).notNullable();
    table.string('team', 128).notNullable();
    // The last day of the last block; later data has not been released.
    table.integer('last_end');
    // Blocks from this day on have to be recomputed.
    table.integer('dirty_from');
    table.primary(['subject', 'team']);
  });
  await knex.schema.createTable('release_blocks', table => {
    table.string('subject', 96).notNullable();
    table.string('team', 128).notNullable();
    table.integer('start_day').notNullable();
    table.integer('end_day').notNullable();
    table.primary(['subject', 'team', 'end_day']);
    table.index(['subject', 'end_day']);
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of [
    'settings',
    'release_blocks',
    'release_states',
    'tallies',
    'presence',
    'daily_totals',
    'activity_events',
    'cognitive_loads',
    'friction_logs',
    'pulse_surveys',
    'people',
  ]) {
    await knex.schema.dropTable(table);
  }
}
