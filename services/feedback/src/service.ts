import { defineService, groupBErrors } from '@slipway/service-kit';
import { feedbackConfig } from './config.ts';
import { setUpService } from './setUpService.ts';

/** The feedback service, with its bot. */
export const feedbackService = defineService({
  name: 'feedback',
  title: 'Feedback',
  configKey: 'feedback',
  configSchema: feedbackConfig,
  defaults: { port: 8080, perMinute: 50 },
  errors: groupBErrors,
  migrations: new URL('../migrations/', import.meta.url),
  health: ({ database }) => ({
    status: database === 'connected' ? 'ok' : 'degraded',
    database,
  }),
  setUp: setUpService,
});
