import { defineService, groupBErrors } from '@slipway/service-kit';
import { spaceMetricsConfig } from './config.ts';
import { setUpService } from './setUpService.ts';

/** The SPACE metrics service. */
export const spaceMetrics = defineService({
  name: 'space-metrics',
  title: 'SPACE metrics',
  configKey: 'spaceMetrics',
  configSchema: spaceMetricsConfig,
  defaults: { port: 8000, perMinute: 100 },
  errors: groupBErrors,
  migrations: new URL('../migrations/', import.meta.url),
  health: ({ database, version, now }) => ({
    status: database === 'connected' ? 'healthy' : 'degraded',
    version,
    database,
    timestamp: now.toISOString(),
  }),
  setUp: setUpService,
});
