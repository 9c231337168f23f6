import { NotFoundError, type ServiceApp } from '@slipway/service-kit';
import { type Static, Type } from 'typebox';
import type { Permissions } from '../access/Permissions.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { JobFolder } from '../jobs/JobFolder.ts';
import type { DiscardPolicy } from '../jobs/JobParts.ts';
import type { BuildReader } from '../storage/BuildReader.ts';
import type { SkipStore } from '../storage/SkipStore.ts';
import { exported, ExportQuery, treeOf } from './tree.ts';
import { JobReader } from './JobReader.ts';
import { JobAnswer, JobParams, ListedJob, RootAnswer } from './schemas.ts';
import { type Addresses, baseUrlOf } from './urls.ts';

const JobFileAnswer = Type.Object({
  file: Type.String(),
  text: Type.String({
    description: 'Without credentials that addresses contain.',
  }),
});

/** Registers the routes that list jobs, and return one and the file that describes it. */
export function jobRoutes(
  app: ServiceApp,
  options: {
    permissions: Permissions;
    jobs: JobCatalog;
    folder: Pick<JobFolder, 'text'>;
    store: BuildReader;
    skipStore: SkipStore;
    addresses: Addresses;
    /** The default discard policy of jobs. */
    discardOldBuilds: DiscardPolicy;
    /** The number of builds that people may keep of a job without its own limit. */
    maxKeptBuilds: number;
    now: () => number;
  },
): void {
  const { permissions, jobs, folder, store, skipStore, addresses } = options;
  const config = { access: permissions.read };
  const reader = new JobReader(options);

  // Some clients read the version from a header at the root address.
  for (const url of [
    '/api/json',
    '/api/python',
    '/api/xml',
    '/view/all/api/json',
    '/',
  ]) {
    app.get(
      url,
      {
        config,
        preHandler: exported,
        schema: {
          tags: ['jobs'],
          summary: 'List the jobs with their last builds',
          querystring: ExportQuery,
          response: { 200: RootAnswer },
        },
      },
      async request => {
        const { caller, query } = request;
        const base = baseUrlOf(request, addresses);
        const { isWhole, isDeep } = extentOf(query);
        const waiting = new Set(
          (await store.listQueue()).map(({ job }) => job),
        );
        const skipped = await skipStore.list();
        return {
          _class: 'hudson.model.Hudson',
          // Of the view; the server itself has no name.
          ...(request.routeOptions.url?.startsWith('/view/') && {
            name: 'all',
          }),
          mode: 'NORMAL',
          nodeDescription: 'Slipway build server',
          quietingDown: false,
          useCrumbs: true,
          useSecurity: true,
          url: `${base}/`,
          primaryView: { name: 'all', url: `${base}/` },
          views: [{ name: 'all', url: `${base}/` }],
          jobs: await Promise.all(
            jobs.all().map(async job => {
              const inQueue = waiting.has(job.name);
              const how = {
                ...{ caller, base, inQueue, isDeep },
                skipped: skipped.get(job.name),
              };
              return isWhole
                ? reader.whole(job, how)
                : reader.summary(job, how);
            }),
          ),
        };
      },
    );
  }

  for (const url of [
    '/job/:job/api/json',
    '/job/:job/api/python',
    '/job/:job/api/xml',
    '/job/:job',
  ]) {
    app.get(
      url,
      {
        config,
        preHandler: exported,
        schema: {
          tags: ['jobs'],
          summary: 'Get a job with its last builds',
          params: JobParams,
          querystring: ExportQuery,
          response: { 200: JobAnswer },
        },
      },
      async request => {
        const { caller, params, query } = request;
        const job = jobs.get(params.job);
        return reader.whole(job, {
          caller,
          base: baseUrlOf(request, addresses),
          inQueue: (await store.listQueue(job.name)).length > 0,
          skipped: await skipStore.find(job.name),
          isDeep: treeOf(query) !== undefined || (query.depth ?? 0) > 0,
          wantsAll: treeOf(query)?.child('allBuilds') !== undefined,
        });
      },
    );
  }

  app.get(
    '/job/:job/file',
    {
      config,
      schema: {
        tags: ['jobs'],
        summary: 'Read the file that describes a job',
        params: JobParams,
        response: { 200: JobFileAnswer },
      },
    },
    async ({ params }) => {
      const { name } = jobs.get(params.job);
      const { file } = jobs.fileOf(name);
      const text = file === null ? undefined : await folder.text(file);
      if (file === null || text === undefined) {
        throw new NotFoundError(`Job ${name} has no file`);
      }
      return { file, text };
    },
  );
}

/** Returns how much of each job a list needs: full details of many jobs are expensive. */
function extentOf(query: Static<typeof ExportQuery>): {
  isWhole: boolean;
  isDeep: boolean;
} {
  const tree = treeOf(query);
  if (!tree) {
    const { depth = 0 } = query;
    return { isWhole: depth > 0, isDeep: depth > 1 };
  }
  const names = tree.child('jobs')?.names() ?? [];
  return {
    isWhole: names.some(name => !Object.hasOwn(ListedJob.properties, name)),
    isDeep: true,
  };
}
