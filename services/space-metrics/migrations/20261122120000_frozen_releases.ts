import type { Knex } from 'knex';

const RECORDS = [
  'pulse_surveys',
  'friction_logs',
  'cognitive_loads',
  'activity_events',
];

/**
 * Replaces blocks of days, which were recomputed whenever new data arrived, by immutable batches of
 * released numbers (docs/privacy.md).
 */
export async function up(knex: Knex): Promise<void> {
  for (const name of RECORDS) {
    await knex.schema.alterTable(name, table => {
      // The batch that released the record; null if not released yet, 0 if no release is needed.
      table.integer('batch');
      table.index(['batch', 'team', 'day']);
    });
  }
  await knex('activity_events').where({ kind: 'build' }).update({ batch: 0 });
  // 1 if the person counts towards the size of a group; names that only a forge reports may not.
  await knex('activity_events').whereNotNull('person').update({ people: 1 });
  await createJoiners(knex);
  await createReleased(knex);
  for (const table of ['release_blocks', 'release_states', 'presence']) {
    await knex.schema.dropTable(table);
  }
  await knex('settings').delete();
}

/** Creates the table of the times from joining to the first commit, recorded when a cycle closes. */
async function createJoiners(knex: Knex): Promise<void> {
  await knex.schema.createTable('joiners', table => {
    table.integer('person').primary().references('id').inTable('people');
    table.string('team', 128).notNullable();
    table.integer('day').notNullable();
    table.integer('minutes').notNullable();
    table.integer('batch');
    table.index(['batch', 'team', 'day']);
  });
}

async function createReleased(knex: Knex): Promise<void> {
  await knex.schema.createTable('released', table => {
    table.integer('batch').notNullable();
    table.string('subject', 16).notNullable();
    // For friction; otherwise empty.
    table.string('category', 64).notNullable();
    // '*' contains the data of teams that were too small to be released separately.
    table.string('team', 128).notNullable();
    // The last day of the cycle in which the batch was released.
    table.integer('day').notNullable();
    table.integer('people').notNullable();
    table.string('measure', 64).notNullable();
    table.bigInteger('total').notNullable();
    table.primary(['batch', 'measure']);
    table.index(['subject', 'team', 'day']);
    table.index(['subject', 'day']);
    table.index(['day']);
  });
  await knex.schema.createTable('released_texts', table => {
    table.increments('id');
    table.integer('batch').notNullable();
    table.text('description').notNullable();
    table.index(['batch']);
  });
  // Batches that include deleted people; they are deleted when the next cycle closes.
  await knex.schema.createTable('withdrawn_batches', table => {
    table.integer('batch').primary();
  });
}

/** Restores blocks and presence as empty tables: the previous version recomputes them. */
export async function down(knex: Knex): Promise<void> {
  for (const table of [
    'withdrawn_batches',
    'released_texts',
    'released',
    'joiners',
  ]) {
    await knex.schema.dropTable(table);
  }
  for (const name of RECORDS) {
    await knex.schema.alterTable(name, table => {
      table.dropIndex(['batch', 'team', 'day']);
      table.dropColumn('batch');
    });
  }
  await knex.schema.createTable('presence', table => {
    table.string('subject', 96).notNullable();
    table.string('team', 128).notNullable();
    table.integer('day').notNullable();
    table.integer('person').notNullable();
    table.integer('people').notNullable();
    table.primary(['subject', 'team', 'day', 'person']);
    table.index(['subject', 'day', 'person']);
    table.index(['person']);
  });
  await knex.schema.createTable('release_states', table => {
    table.string('subject', 96).notNullable();
    table.string('team', 128).notNullable();
    table.integer('last_end');
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
