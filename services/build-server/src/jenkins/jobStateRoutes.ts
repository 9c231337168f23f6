import { actorOf, ConflictError, type ServiceApp } from '@slipway/service-kit';
import type { Permissions } from '../access/Permissions.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import { type BuildFiles, removeFiles } from '../retention/startDiscarding.ts';
import type { DisabledJobStore } from '../storage/DisabledJobStore.ts';
import type { DiscardStore } from '../storage/DiscardStore.ts';
import { storableName } from '../storage/buildRows.ts';
import type { BuildLookup } from './BuildLookup.ts';
import { BuildParams, JobParams } from './schemas.ts';
import { type Addresses, baseUrlOf, jobUrl } from './urls.ts';

/** Registers the routes that disable and enable a job, and delete a build. */
export function jobStateRoutes(
  app: ServiceApp,
  options: BuildFiles & {
    permissions: Permissions;
    jobs: JobCatalog;
    disabled: DisabledJobStore;
    discard: DiscardStore;
    lookup: BuildLookup;
    /** Looks for builds to start. */
    wake: () => void;
    addresses: Addresses;
    now: () => number;
  },
): void {
  const { permissions, jobs, disabled, discard, lookup, addresses } = options;

  for (const verb of ['disable', 'enable'] as const) {
    app.post(
      `/job/:job/${verb}`,
      {
        config: { access: permissions.read, audited: true },
        schema: {
          tags: ['jobs'],
          summary: verb === 'disable' ? 'Disable a job' : 'Enable a job',
          description:
            'A disabled job is not triggered, and its queued builds wait.',
          params: JobParams,
          response: { 302: { description: `The job is ${verb}d.` } },
        },
      },
      async (request, reply) => {
        const job = jobs.get(request.params.job);
        await permissions.assertMayManage(request.caller, job);
        const by =
          verb === 'disable' ? storableName(actorOf(request.caller)) : null;
        await disabled.set(job.name, by, options.now());
        jobs.replaceDisabled(await disabled.list());
        options.wake();
        return reply.redirect(jobUrl(baseUrlOf(request, addresses), job.name));
      },
    );
  }

  app.post(
    '/job/:job/:build/doDelete',
    {
      config: { access: permissions.admin, faults: ['conflict'] },
      schema: {
        tags: ['builds'],
        summary: 'Delete a build with its log and artifacts',
        params: BuildParams,
        response: { 302: { description: 'The build is deleted.' } },
      },
    },
    async (request, reply) => {
      const { id, job, number, state } = await lookup.trigger(request.params);
      if (state !== 'finished') {
        throw new ConflictError(
          `Build ${job} #${number} has not ended; stop it first`,
        );
      }
      const begun = await discard.begin([id], { now: options.now() });
      if (begun.length === 0) {
        throw new ConflictError(
          `Build ${job} #${number} is kept; stop keeping it first`,
        );
      }
      await removeFiles([id], options);
      await discard.remove([id]);
      return reply.redirect(jobUrl(baseUrlOf(request, addresses), job));
    },
  );
}
