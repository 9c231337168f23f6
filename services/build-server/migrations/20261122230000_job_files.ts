import type { Knex } from 'knex';

/** Adds the trigger of a build and the time a job was last seen; allows longer names for branch jobs. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('builds', table => {
    table.string('trigger_kind', 16);
    // Builds of one group run one at a time, whichever job they belong to.
    table.string('concurrency_group', 400);
    table.text('artifacts');
  });
  await knex.schema.alterTable('jobs', table => {
    // Milliseconds since the Unix epoch: when a server last had the job's file.
    table.bigInteger('seen_at');
    // When the schedule was last checked.
    table.bigInteger('scheduled_at');
    // The job whose repository has the branch; null for a job with a file.
    table.string('parent', 100);
    table.text('branch');
  });
  // SQLite does not enforce lengths.
  if (knex.client.config.client === 'pg') {
    await knex.raw('ALTER TABLE jobs ALTER COLUMN name TYPE varchar(400)');
    await knex.raw('ALTER TABLE builds ALTER COLUMN job TYPE varchar(400)');
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex('builds').where('job', 'like', '%/%').delete();
  await knex('jobs').whereNotNull('parent').delete();
  await knex.schema.alterTable('jobs', table => {
    table.dropColumns('seen_at', 'scheduled_at', 'parent', 'branch');
  });
  await knex.schema.alterTable('builds', table => {
    table.dropColumns('trigger_kind', 'concurrency_group', 'artifacts');
  });
}
