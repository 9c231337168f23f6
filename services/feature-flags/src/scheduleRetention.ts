import type { ServiceKit } from '@slipway/service-kit';
import type { ApplicationStore } from './applications/ApplicationStore.ts';
import type { UsageStore } from './usage/UsageStore.ts';

const HOUR_MS = 3_600_000;
/** Minutes serve the last hour alone; the second one is for clocks that differ. */
const MINUTES_KEPT_MS = 2 * HOUR_MS;

/** Forgets, every hour, what is too old to be asked for. */
export function scheduleRetention(
  kit: ServiceKit,
  options: {
    usage: UsageStore;
    applications: ApplicationStore;
    retentionMs: number;
  },
): void {
  const { usage, applications, retentionMs } = options;
  kit.every({
    name: 'Forgetting old usage',
    everyMs: HOUR_MS,
    async work() {
      const now = kit.now();
      await usage.purge({ span: 'minute', before: now - MINUTES_KEPT_MS });
      await usage.purge({ span: 'hour', before: now - retentionMs });
      await applications.purge(now - retentionMs);
    },
  });
}
