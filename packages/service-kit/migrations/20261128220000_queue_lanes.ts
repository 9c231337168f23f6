import type { Knex } from 'knex';

const LANES = ['queue', 'lane', 'created_at'];
const INDEX = 'kit_queue_lane_idx';

/**
 * Adds an index for the newest items of a lane. Without it, listing the deliveries to a rarely used
 * endpoint would read a month of deliveries to other endpoints.
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
