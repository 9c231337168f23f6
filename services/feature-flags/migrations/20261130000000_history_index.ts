import type { Knex } from 'knex';

const INDEX = 'history_type_created_at_idx';

/** Adds an index to the history, with which the clean-up list finds recently created or restored flags. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('history', table => {
    table.index(['type', 'created_at'], INDEX);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('history', table => {
    table.dropIndex(['type', 'created_at'], INDEX);
  });
}
