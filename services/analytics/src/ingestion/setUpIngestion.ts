import type { ServiceKit } from '@slipway/service-kit';
import { IngestionCounts } from './IngestionCounts.ts';
import { IngestionStore } from './storage/IngestionStore.ts';

const FLUSH_MS = 5_000;
const PURGE_MS = 3_600_000;

/** Sets up the counts of arriving events, and writes them to the database regularly. */
export function setUpIngestion(
  kit: Pick<ServiceKit, 'database' | 'every' | 'onStop' | 'now'>,
): IngestionCounts {
  const { database, now } = kit;
  const counts = new IngestionCounts({
    store: new IngestionStore(database),
    now,
  });
  kit.every({
    name: 'Recording how events arrive',
    everyMs: FLUSH_MS,
    work: () => counts.flush(),
  });
  kit.every({
    name: 'Deleting old counts of events',
    everyMs: PURGE_MS,
    work: () => counts.purge(),
  });
  kit.onStop(() => counts.flush());
  return counts;
}
