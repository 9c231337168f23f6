import type { ServiceKit } from '@slipway/service-kit';
import type { ApplicationStore } from './applications/ApplicationStore.ts';
import type { UsageStore } from './usage/UsageStore.ts';

const HOUR_MS = 3_600_000;
/** Minutes serve the last hour alone; the second one is for clocks that differ. */
const MINUTES_KEPT_MS = 2 * HOUR_MS;
/** How long the delivery log of webhooks goes back. */
const DELIVERIES_KEPT_MS = 30 * 24 * HOUR_MS;

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
  const forget = async () => {
    const now = kit.now();
    try {
      await usage.purge({ span: 'minute', before: now - MINUTES_KEPT_MS });
      await usage.purge({ span: 'hour', before: now - retentionMs });
      await applications.purge(now - retentionMs);
      await kit.webhooks.purge(now - DELIVERIES_KEPT_MS);
    } catch (error) {
      kit.logger.warn({ err: error }, 'Old usage could not be deleted');
    }
  };
  kit.onStart(() => {
    void forget();
    const timer = setInterval(forget, HOUR_MS);
    kit.onStop(() => clearInterval(timer));
  });
}
