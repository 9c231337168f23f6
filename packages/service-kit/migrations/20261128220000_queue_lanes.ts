import type { Knex } from 'knex';

const LANES = ['queue', 'lane', 'created_at'];
const INDEX = 'kit_queue_lane_idx';

/**
 * Finds the newest items of a lane without reading those of others: of an endpoint that rarely gets
 * a delivery, all deliveries of a month were read.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('kit_queue', table => {
    table.index(LANES, INDEX);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('kit_queue', table => {
    table.dropIndex(LANES, INDEX);
  });
}
