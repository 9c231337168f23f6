import type { Knex } from 'knex';
import { LakeEvent } from '../../events/LakeEvent';
import { IngestService } from '../../ingest/IngestService';
import { DatabaseIngestStore } from '../DatabaseIngestStore';
import { at } from './events';
import { FakeServiceDirectory } from './FakeServiceDirectory';

/** The ingest configuration of the tests. */
export const INGEST_CONFIG = {
  environments: new Map([['production', 'prod' as const]]),
  clockSkew: 5 * 60_000,
};

/** Creates an ingest service on a migrated database, at a time after all events of the tests. */
export async function createLake(
  knex: Knex,
  directory = new FakeServiceDirectory(),
) {
  let marked = 0;
  const store = new DatabaseIngestStore({ knex, directory });
  const service = new IngestService({
    store,
    config: INGEST_CONFIG,
    now: () => at(100_000),
    onMarked: () => {
      marked++;
    },
  });
  const send = (...events: LakeEvent[]) =>
    service.ingest(events.map(event => ({ event })));
  return { directory, knex, marked: () => marked, send, service, store };
}
