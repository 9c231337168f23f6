import { defineService } from '@slipway/service-kit';
import { analyticsErrors } from './analyticsErrors.ts';
import { analyticsConfig } from './config.ts';
import { setUpService } from './setUpService.ts';
import type { EventStore } from './store/EventStore.ts';

/** Values of app-config.yaml that must never guard a production system. */
const DEVELOPMENT_CREDENTIALS = ['phc_dev_portal_key'];

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
    developmentCredentials: DEVELOPMENT_CREDENTIALS,
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
