import { defineService } from '@slipway/service-kit';
import { featureFlagsConfig } from './config.ts';
import { flagErrors } from './errors/flagErrors.ts';
import { setUpService } from './setUpService.ts';

/** The feature-flag service. */
export const featureFlags = defineService({
  name: 'feature-flags',
  title: 'Feature flags',
  configKey: 'featureFlags',
  configSchema: featureFlagsConfig,
  defaults: { port: 4242, perMinute: 1_000 },
  ignoreTrailingSlash: true,
  errors: flagErrors,
  migrations: new URL('../migrations/', import.meta.url),
  setUp: setUpService,
});
