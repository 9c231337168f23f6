import type { Knex } from 'knex';

const INDEX = 'builds_discarding_idx';

/** Records which builds are being deleted, so that nobody can keep a build whose files are gone. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('builds', table => {
    // Milliseconds since the Unix epoch; null unless its deletion has begun.
    table.bigInteger('discarding_at');
  });
  await knex.schema.alterTable('builds', table => {
    table.index(['job'], INDEX, {
      predicate: knex.whereNotNull('discarding_at'),
    });
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('builds', table => {
    table.dropIndex(['job'], INDEX);
  });
  await knex.schema.alterTable('builds', table => {
    table.dropColumns('discarding_at');
  });
}
