import type { ServiceKit } from '@slipway/service-kit';
import type { AnalyticsConfig } from '../config.ts';
import type { LocalEventStore } from './LocalEventStore.ts';
import { moveInBackground } from './moveInBackground.ts';

const DAY_MS = 24 * 3_600_000;
const FORGET_MS = 5_000;
const RETENTION_MS = 3_600_000;

/** What is done with events while the service runs though nobody asks for it. */
export function keepHouse(
  kit: Pick<ServiceKit, 'logger' | 'now' | 'every' | 'onStart' | 'onStop'>,
  options: {
    store: LocalEventStore;
    config: Pick<
      AnalyticsConfig['events'],
      'rememberUuidDays' | 'retentionDays'
    >;
  },
): void {
  const { store, config } = options;
  kit.onStop(() => store.close());
  kit.onStart(() => {
    const stopMoving = moveInBackground(store, kit.logger);
    kit.onStop(stopMoving);
  });
  kit.every({
    name: 'Forgetting old uuids',
    everyMs: FORGET_MS,
    work: async () =>
      store.forgetSeen(kit.now() - config.rememberUuidDays * DAY_MS),
  });
  const { retentionDays } = config;
  if (retentionDays !== undefined) {
    let done: number | undefined;
    kit.every({
      name: 'Deleting old events',
      everyMs: RETENTION_MS,
      async work(signal) {
        // Once a day: it takes an engine that runs.
        const today = Math.floor(kit.now() / DAY_MS);
        if (done !== today) {
          await store.deleteBefore((today - retentionDays) * DAY_MS, signal);
          done = today;
        }
      },
    });
  }
}
