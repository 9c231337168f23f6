import type { Knex } from 'knex';

/** What triggered a build, when a job was last known, and jobs of branches with long names. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('builds', table => {
    table.string('trigger_kind', 16);
    // Builds of one group run one after the other, of whichever job they are.
    table.string('concurrency_group', 400);
    table.text('artifacts');
  });
  await knex.schema.alterTable('jobs', table => {
    // Milliseconds since 1970: when a server last had the file of the job.
    table.bigInteger('seen_at');
    // When its schedule was last looked at.
    table.bigInteger('scheduled_at');
    // The job whose repository has the branch; null for one of a file.
    table.string('parent', 100);
    table.text('branch');
  });
  // SQLite does not look at lengths.
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
