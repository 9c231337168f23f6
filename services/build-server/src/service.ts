import {
  defineService,
  groupCErrors,
  readManifest,
} from '@slipway/service-kit';
import { buildServerConfig } from './config.ts';
import { setUpService } from './setUpService.ts';

const { port, ...about } = readManifest(
  new URL('../package.json', import.meta.url),
);

/** The build server. */
export const buildServer = defineService({
  ...about,
  configSchema: buildServerConfig,
  defaults: { port, perMinute: 6_000 },
  // Clients of Jenkins write paths with one and without.
  ignoreTrailingSlash: true,
  errors: groupCErrors,
  migrations: new URL('../migrations/', import.meta.url),
  setUp: setUpService,
});
