import {
  actorOf,
  ConflictError,
  NotFoundError,
  type ServiceApp,
} from '@slipway/service-kit';
import { Type } from 'typebox';
import type { Permissions } from '../access/Permissions.ts';
import type { Build, Kept } from '../builds/Build.ts';
import type { BuildLookup } from '../jenkins/BuildLookup.ts';
import { BuildParams } from '../jenkins/schemas.ts';
import { type Addresses, baseUrlOf, buildUrl } from '../jenkins/urls.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import { type DiscardStore, KeptLimitError } from '../storage/DiscardStore.ts';
import { acceptForms } from '../triggers/FormBody.ts';

const KeepBody = Type.Object({
  reason: Type.Optional(
    Type.String({
      maxLength: 500,
      // PostgreSQL cannot store it.
      pattern: '^[^\\u0000]*$',
      patternDescription: 'must not contain a null character',
    }),
  ),
});

/**
 * Registers the routes that keep builds from being deleted as old, for callers who may trigger the
 * job.
 */
export function keepRoutes(
  app: ServiceApp,
  options: {
    permissions: Permissions;
    jobs: JobCatalog;
    discard: DiscardStore;
    lookup: BuildLookup;
    addresses: Addresses;
    /** The number of builds that people may keep of a job that sets no limit. */
    maxKeptBuilds: number;
    now: () => number;
  },
): void {
  const { permissions, jobs, discard, lookup, addresses, now } = options;
  const shared = {
    config: {
      access: permissions.read,
      audited: true as const,
      faults: ['conflict' as const],
    },
    onRequest: permissions.demandTrigger,
  };
  const tags = ['builds'];

  const keep = async ({ id, job: name, number }: Build, kept: Kept | null) => {
    const job = jobs.find(name);
    if (kept && !job) {
      throw new ConflictError(
        `Job ${name} was removed, and its builds are deleted with it`,
      );
    }
    const most = job?.maxKeptBuilds ?? options.maxKeptBuilds;
    const isChanged = await discard
      .keep(id, kept, most)
      .catch((error: unknown) => {
        throw error instanceof KeptLimitError
          ? new ConflictError(
              `No more than ${most} builds of ${name} can be kept (maxKeptBuilds); stop keeping one first, for example #${error.oldest}`,
            )
          : error;
      });
    if (!isChanged) {
      throw new NotFoundError(
        `${name} has no build ${number} any more: it is being deleted`,
      );
    }
  };

  app.put(
    '/job/:job/:build/kept',
    {
      ...shared,
      schema: {
        tags,
        summary: 'Keep a build',
        description:
          'It is not deleted with old builds until someone stops keeping it or its job is removed. A job has a limit of builds that are kept; beyond it, the response is 409.',
        params: BuildParams,
        body: KeepBody,
        response: { 204: { description: 'It is kept.' } },
      },
    },
    async ({ params, body, caller }, reply) => {
      await keep(await lookup.build(params), {
        by: actorOf(caller),
        at: now(),
        reason: body.reason?.trim() || null,
      });
      return reply.code(204).send();
    },
  );

  app.delete(
    '/job/:job/:build/kept',
    {
      ...shared,
      schema: {
        tags,
        summary: 'Stop keeping a build',
        params: BuildParams,
        response: { 204: { description: 'It is not kept.' } },
      },
    },
    async ({ params }, reply) => {
      await keep(await lookup.build(params), null);
      return reply.code(204).send();
    },
  );

  app.register(async (routes: ServiceApp) => {
    // Clients send a crumb, or no body.
    acceptForms(routes);
    routes.post(
      '/job/:job/:build/toggleLogKeep',
      {
        ...shared,
        schema: {
          tags,
          summary: 'Keep a build, or stop keeping it',
          description: 'For clients of Jenkins.',
          params: BuildParams,
          response: { 302: { description: 'To the build.' } },
        },
      },
      async (request, reply) => {
        const build = await lookup.build(request.params);
        await keep(
          build,
          build.kept
            ? null
            : { by: actorOf(request.caller), at: now(), reason: null },
        );
        return reply.redirect(buildUrl(baseUrlOf(request, addresses), build));
      },
    );
  });
}
