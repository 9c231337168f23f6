import { defineService } from '@slipway/service-kit';
import { analyticsErrors } from './analyticsErrors.ts';
import { analyticsConfig } from './config.ts';
import { setUpService } from './setUpService.ts';
import type { EventStore } from './store/EventStore.ts';

/** Defines the analytics service; each definition is for one service. */
export function defineAnalytics() {
  let store: EventStore | undefined;
  return defineService({
    name: 'analytics',
    title: 'Analytics',
    configKey: 'analytics',
    configSchema: analyticsConfig,
    defaults: { port: 8100, perMinute: 1_000 },
    ignoreTrailingSlash: true,
    errors: analyticsErrors,
    migrations: new URL('../migrations/', import.meta.url),
    health: ({ database, version, now }) => ({
      status: database === 'connected' ? 'ok' : 'degraded',
      version,
      database,
      ...(store && { engine: store.state().engine }),
      timestamp: now.toISOString(),
    }),
    async setUp(kit) {
      store = await setUpService(kit);
    },
  });
}
