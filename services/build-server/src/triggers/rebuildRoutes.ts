import { actorOf, ConflictError, type ServiceApp } from '@slipway/service-kit';
import type { Permissions } from '../access/Permissions.ts';
import {
  type BuildStep,
  type Rerun,
  shortName,
  type StartedBuild,
  UNMET,
} from '../builds/Build.ts';
import type { BuildLookup } from '../jenkins/BuildLookup.ts';
import { BuildParams } from '../jenkins/schemas.ts';
import { type Addresses, baseUrlOf, queueUrl } from '../jenkins/urls.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BuildTriggers } from './BuildTriggers.ts';
import { acceptForms } from './FormBody.ts';
import { nameDelivery, readGiven } from './readTrigger.ts';
import { ParametersBody, QueueAnswer, RebuildQuery } from './schemas.ts';

/** @throws ConflictError if nothing has failed, or if the parameters differ from the earlier build. */
function rerunOf(build: StartedBuild, isEdited: boolean): Rerun {
  const { job, number, state, steps } = build;
  if (state !== 'finished') {
    throw new ConflictError(`${job} #${number} is still running`);
  }
  if (isEdited) {
    throw new ConflictError(
      'Steps are kept only with the same parameters: rebuild all of them',
    );
  }
  const hasPassed = (step: BuildStep) =>
    step.state === 'done' ||
    (step.state === 'skipped' && step.message === UNMET);
  // Names may be duplicates.
  const failed = steps.filter(step => !hasPassed(step)).map(({ name }) => name);
  const passed = steps.filter(({ name }) => !failed.includes(name));
  if (failed.length === 0) {
    throw new ConflictError(`No step of ${job} #${number} failed`);
  }
  return { number, passed: passed.map(({ name }) => name) };
}

/** Registers the route that builds the same commit again, with the same or edited parameters. */
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
    // Clients send a crumb, or no body.
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
            summary:
              'Rebuild the same commit: all steps or only the failed ones, optionally with other parameters',
            params: BuildParams,
            querystring: RebuildQuery,
            body: ParametersBody,
            response: { 201: QueueAnswer },
          },
        },
        async (request, reply) => {
          const by = actorOf(request.caller);
          const before = await lookup.build(request.params);
          const { only, ...more } = request.query;
          const given = readGiven({ body: request.body, query: more });
          const rerun =
            only === 'failed' ? rerunOf(before, given.size > 0) : null;
          const parameters = new Map<string, readonly string[]>([
            ...Object.entries(before.parameters).map(
              ([name, value]) => [name, [value]] as const,
            ),
            ...given,
          ]);
          const what = rerun ? 'Failed steps' : 'Rebuild';
          const build = await triggers.trigger({
            job: jobs.get(before.job),
            parameters,
            rerun,
            cause: `${what} of #${before.number} by ${shortName(by)}`,
            kind: 'rebuild',
            triggeredBy: by,
            source: before.source ?? undefined,
            delivery: nameDelivery(request),
            // A manual request: there is no quiet period.
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
