import type { Knex } from 'knex';

const INDEX = 'builds_kept_idx';

/** Records which builds people keep, which exempts them from the deletion of old builds. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('builds', table => {
    // Milliseconds since the Unix epoch; null unless the build is kept.
    table.bigInteger('kept_at');
    table.string('kept_by', 256);
    table.text('kept_reason');
  });
  await knex.schema.alterTable('builds', table => {
    table.index(['job', 'number'], INDEX, {
      predicate: knex.whereNotNull('kept_at'),
    });
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('builds', table => {
    table.dropIndex(['job', 'number'], INDEX);
  });
  await knex.schema.alterTable('builds', table => {
    table.dropColumns('kept_at', 'kept_by', 'kept_reason');
  });
}
