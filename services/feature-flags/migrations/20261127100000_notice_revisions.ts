import type { Knex } from 'knex';

/** Adds the revision of a notice channel, so that an edit can name the one it is based on. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('notice_channels', table => {
    table.integer('revision').notNullable().defaultTo(1);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('notice_channels', table => {
    table.dropColumn('revision');
  });
}
