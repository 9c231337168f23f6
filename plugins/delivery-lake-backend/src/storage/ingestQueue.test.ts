import type { Knex } from 'knex';
import { IngestBatch } from '../events/Delivery';
import { DatabaseIngestStore } from './DatabaseIngestStore';

/** Creates a database whose transactions wait until the test lets them begin. */
function stuckDatabase() {
  let release = () => {};
  const stuck = new Promise<never>((_resolve, reject) => {
    release = () => reject(new Error('The database is gone'));
  });
  const knex = {
    transaction: () => stuck,
    client: { config: { client: 'better-sqlite3' } },
  } as unknown as Knex;
  return { knex, release };
}

it('rejects batches while the queue is full, and accepts them afterwards', async () => {
  const { knex, release } = stuckDatabase();
  const store = new DatabaseIngestStore({
    knex,
    directory: {
      find: () => ({ match: 'unknown', candidates: [] }),
      titleOf: ref => ref,
      onChange: () => {},
      refresh: async () => {},
    },
  });
  const batch: IngestBatch = { events: [], receivedAt: 0 };
  const waiting = Array.from({ length: 256 }, () => store.add(batch));
  const settled = Promise.allSettled(waiting);

  await expect(store.add(batch)).rejects.toMatchObject({
    name: 'ServiceUnavailableError',
  });
  release();
  await settled;
  await expect(store.add(batch)).rejects.toThrow('The database is gone');
});
