import { actorOf, type ServiceApp } from '@slipway/service-kit';
import type { Permissions } from '../access/Permissions.ts';
import { shortName } from '../builds/Build.ts';
import type { BuildLookup } from '../jenkins/BuildLookup.ts';
import { BuildParams } from '../jenkins/schemas.ts';
import { type Addresses, baseUrlOf, queueUrl } from '../jenkins/urls.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BuildTriggers } from './BuildTriggers.ts';
import { acceptForms } from './FormBody.ts';
import { nameDelivery } from './readTrigger.ts';
import { QueueAnswer } from './schemas.ts';

/** Builds what was built before again: the same commit, with the same parameters. */
export function rebuildRoutes(
  app: ServiceApp,
  options: {
    permissions: Permissions;
    jobs: JobCatalog;
    lookup: BuildLookup;
    triggers: BuildTriggers;
    addresses: Addresses;
  },
): void {
  const { permissions, jobs, lookup, triggers, addresses } = options;
  app.register(async (routes: ServiceApp) => {
    // Clients send a crumb, or nothing.
    acceptForms(routes);
    for (const verb of ['rebuild', 'replay/rebuild']) {
      routes.post(
        `/job/:job/:build/${verb}`,
        {
          config: {
            access: permissions.read,
            faults: ['payloadTooLarge', 'conflict'],
          },
          onRequest: permissions.demandTrigger,
          schema: {
            tags: ['triggers'],
            summary: 'Build the same commit with the same parameters again',
            params: BuildParams,
            response: { 201: QueueAnswer },
          },
        },
        async (request, reply) => {
          const by = actorOf(request.caller);
          const before = await lookup.build(request.params);
          const build = await triggers.trigger({
            job: jobs.get(before.job),
            parameters: new Map(
              Object.entries(before.parameters).map(([name, value]) => [
                name,
                [value],
              ]),
            ),
            cause: `Rebuild of #${before.number} by ${shortName(by)}`,
            kind: 'rebuild',
            triggeredBy: by,
            source: before.source ?? undefined,
            delivery: nameDelivery(request),
            // It was asked for by hand: nothing is waited for.
            delayMs: 0,
          });
          const location = queueUrl(baseUrlOf(request, addresses), build.id);
          return reply
            .code(201)
            .header('location', location)
            .send({ location });
        },
      );
    }
  });
}
