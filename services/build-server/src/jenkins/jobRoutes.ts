import type { ServiceApp } from '@slipway/service-kit';
import { isStarted, type StartedBuild } from '../builds/Build.ts';
import type { BuildStore } from '../builds/BuildStore.ts';
import type { Permissions } from '../access/Permissions.ts';
import type { Job } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import { type DiscardPolicy, policyOf } from '../retention/DiscardPolicy.ts';
import { presentJob, summarizeJob } from './presentJob.ts';
import { JobAnswer, JobParams, RootAnswer } from './schemas.ts';
import { baseUrlOf, type Addresses } from './urls.ts';

/** What lists show of each job, and what one job shows, as in Jenkins. */
const RECENT = 10;
const HISTORY = 100;

/** Jobs: all of them, and one. */
export function jobRoutes(
  app: ServiceApp,
  options: {
    permissions: Permissions;
    jobs: JobCatalog;
    store: BuildStore;
    addresses: Addresses;
    /** Of jobs that say nothing else. */
    discardOldBuilds: DiscardPolicy;
    now: () => number;
  },
): void {
  const { permissions, jobs, store, addresses, discardOldBuilds, now } =
    options;
  const config = { access: permissions.read };

  const buildsOf = async (job: Job, limit: number): Promise<StartedBuild[]> =>
    (await store.list(job.name, limit)).filter(isStarted);

  for (const url of ['/api/json', '/api/python']) {
    app.get(
      url,
      {
        config,
        schema: {
          tags: ['jobs'],
          summary: 'List the jobs with their last builds',
          response: { 200: RootAnswer },
        },
      },
      async request => {
        const base = baseUrlOf(request, addresses);
        const waiting = new Set(
          (await store.listQueue()).map(({ job }) => job),
        );
        const summaries = await Promise.all(
          jobs.all().map(async job =>
            summarizeJob(
              job,
              {
                builds: await buildsOf(job, RECENT),
                inQueue: waiting.has(job.name),
                triggerable: await permissions.mayTrigger(request.caller, job),
              },
              { base, now: now() },
            ),
          ),
        );
        return {
          _class: 'hudson.model.Hudson',
          mode: 'NORMAL',
          nodeDescription: 'Slipway build server',
          quietingDown: false,
          useCrumbs: true,
          useSecurity: true,
          url: `${base}/`,
          primaryView: { name: 'all', url: `${base}/` },
          views: [{ name: 'all', url: `${base}/` }],
          jobs: summaries,
        };
      },
    );
  }

  for (const url of ['/job/:job/api/json', '/job/:job/api/python']) {
    app.get(
      url,
      {
        config,
        schema: {
          tags: ['jobs'],
          summary: 'Read a job with its last builds',
          params: JobParams,
          response: { 200: JobAnswer },
        },
      },
      async request => {
        const job = jobs.get(request.params.job);
        return presentJob(
          job,
          {
            builds: await buildsOf(job, HISTORY),
            inQueue: (await store.listQueue(job.name)).length > 0,
            triggerable: await permissions.mayTrigger(request.caller, job),
            nextBuildNumber: await store.nextNumber(job.name),
            discardOldBuilds: policyOf(job, discardOldBuilds),
          },
          { base: baseUrlOf(request, addresses), now: now() },
        );
      },
    );
  }
}
