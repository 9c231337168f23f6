import { instantOf, type ServiceApp } from '@slipway/service-kit';
import { type FlagAccess, tokenOf } from '../access.ts';
import type { ApplicationStore } from '../applications/ApplicationStore.ts';
import { Accepted, Registration } from './schemas.ts';

/** `POST /api/client/register`: an instance of an application says that it is there. */
export function registerRoutes(
  app: ServiceApp,
  options: {
    applications: ApplicationStore;
    access: FlagAccess;
    now: () => number;
  },
): void {
  const { applications, access, now } = options;
  app.post(
    '/api/client/register',
    {
      config: { access: access.client },
      schema: {
        tags: ['client'],
        summary: 'Register an instance of an application',
        body: Registration,
        response: { 202: Accepted },
      },
    },
    async ({ body, caller }, reply) => {
      await applications.register({
        appName: body.appName,
        instanceId: body.instanceId ?? 'default',
        environment: tokenOf(caller).environment,
        sdkVersion: body.sdkVersion ?? null,
        strategies: body.strategies,
        startedAt: instantOf(body.started),
        intervalMs: body.interval,
        seenAt: now(),
      });
      return reply.code(202).send(undefined);
    },
  );
}
