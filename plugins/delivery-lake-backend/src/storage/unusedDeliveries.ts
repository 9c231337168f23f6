import type { Knex } from 'knex';

/**
 * Number of deliveries per call: few enough to delay no one, and more than are received between
 * calls.
 */
const AT_ONCE = 500;

/**
 * Deletes some of the deliveries that contained no event and were received before a moment; call it
 * regularly.
 *
 * @param before - milliseconds since the Unix epoch.
 */
export async function deleteUnusedDeliveries(
  knex: Knex,
  before: number,
): Promise<void> {
  const unused = () =>
    knex('lake_deliveries').whereIn('outcome', ['ignored', 'rejected']);
  const ids: (number | string)[] = await unused()
    .where('received_at', '<', before)
    .limit(AT_ONCE)
    .pluck('id');
  if (ids.length > 0) {
    // A replay may have found an event in one in the meantime.
    await unused().whereIn('id', ids).delete();
  }
}
