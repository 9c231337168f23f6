import { defineService, groupCErrors } from '@slipway/service-kit';
import { buildServerConfig } from './config.ts';
import { setUpService } from './setUpService.ts';

/** The build server. */
export const buildServer = defineService({
  name: 'build-server',
  title: 'Build server',
  configKey: 'buildServer',
  configSchema: buildServerConfig,
  defaults: { port: 8200, perMinute: 6_000 },
  // Clients of Jenkins write paths with one and without.
  ignoreTrailingSlash: true,
  errors: groupCErrors,
  migrations: new URL('../migrations/', import.meta.url),
  setUp: setUpService,
});
