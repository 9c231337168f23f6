import { actorOf, type ServiceApp } from '@slipway/service-kit';
import type { AgentDesk } from '../agents/AgentDesk.ts';
import type { Permissions } from '../access/Permissions.ts';
import type { Build } from '../builds/Build.ts';
import type { Worker } from '../execution/Worker.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BuildReader } from '../storage/BuildReader.ts';
import type { BuildLookup } from './BuildLookup.ts';
import { exported, ExportQuery } from './tree.ts';
import { presentItem } from './presentItem.ts';
import {
  CancelQuery,
  ItemAnswer,
  ItemParams,
  QueueListAnswer,
} from './schemas.ts';
import { type Addresses, baseUrlOf, queueUrl } from './urls.ts';

/** Registers the routes of waiting builds and past queue items. */
export function queueRoutes(
  app: ServiceApp,
  options: {
    permissions: Permissions;
    jobs: JobCatalog;
    store: BuildReader;
    lookup: BuildLookup;
    worker: Pick<Worker, 'stopBuild'>;
    agents: { desk: Pick<AgentDesk, 'lackingFor'> };
    addresses: Addresses;
    now: () => number;
  },
): void {
  const { permissions, jobs, store, lookup, worker, addresses, now } = options;
  const { desk } = options.agents;
  const config = { access: permissions.read };

  const present = async (
    build: Build,
    base: string,
    findNewest: BuildReader['findNewest'] = job => store.findNewest(job),
    position?: number,
  ) => {
    const { concurrent = false, concurrency } = jobs.find(build.job) ?? {};
    const isQueued = build.state === 'queued';
    const last =
      isQueued && !concurrent ? await findNewest(build.job) : undefined;
    const blocking =
      last?.state === 'running' || concurrency?.group === undefined || !isQueued
        ? last
        : await store.findRunningIn(concurrency.group);
    return presentItem(build, {
      base,
      now: now(),
      position,
      disabled: jobs.disabledReason(build.job),
      ...(isQueued && {
        noExecutor: await desk.lackingFor(build.job),
      }),
      ...(blocking?.state === 'running' && { blockedBy: blocking }),
    });
  };

  for (const url of ['/queue/api/json', '/queue/api/xml']) {
    app.get(
      url,
      {
        config,
        preHandler: exported,
        schema: {
          tags: ['queue'],
          summary: 'List queued builds',
          querystring: ExportQuery,
          response: { 200: QueueListAnswer },
        },
      },
      async request => {
        const base = baseUrlOf(request, addresses);
        const newest = new Map<string, ReturnType<BuildReader['findNewest']>>();
        // Many items may belong to one job: its reason for waiting is read once.
        const findNewest: BuildReader['findNewest'] = job => {
          const found = newest.get(job) ?? store.findNewest(job);
          newest.set(job, found);
          return found;
        };
        const items = await Promise.all(
          (await store.listQueue()).map((build, index) =>
            present(build, base, findNewest, index + 1),
          ),
        );
        return { _class: 'hudson.model.Queue', items };
      },
    );
  }

  for (const url of ['/queue/item/:id/api/json', '/queue/item/:id']) {
    app.get(
      url,
      {
        config,
        preHandler: exported,
        schema: {
          tags: ['queue'],
          summary: 'Get a queue item, even after its build has started',
          params: ItemParams,
          querystring: ExportQuery,
          response: { 200: ItemAnswer },
        },
      },
      async request =>
        present(
          await lookup.item(request.params.id),
          baseUrlOf(request, addresses),
        ),
    );
  }

  const cancel = async (
    id: number | string,
    request: { caller: Parameters<typeof actorOf>[0] },
  ) => {
    const job = await lookup.jobOfItem(id);
    await permissions.assertMayTrigger(request.caller, job);
    const build = await lookup.item(id);
    if (build.state === 'queued') {
      await worker.stopBuild(build.id, actorOf(request.caller));
    }
    return build;
  };

  app.post(
    '/queue/item/:id/cancelQueue',
    {
      config,
      schema: {
        tags: ['queue'],
        summary: 'Remove a build from the queue',
        params: ItemParams,
        response: { 302: { description: 'No longer queued.' } },
      },
    },
    async (request, reply) => {
      const { id } = await cancel(request.params.id, request);
      return reply.redirect(queueUrl(baseUrlOf(request, addresses), id));
    },
  );

  for (const url of ['/queue/cancelItem', '/queue/cancelItem/api/json']) {
    const wantsJson = url.endsWith('json');
    app.post(
      url,
      {
        config: { ...config, faults: ['notFound'] },
        schema: {
          tags: ['queue'],
          summary: 'Remove a build from the queue',
          querystring: CancelQuery,
          response: {
            [wantsJson ? 302 : 204]: { description: 'No longer queued.' },
          },
        },
      },
      async (request, reply) => {
        const { id } = await cancel(request.query.id, request);
        const item = queueUrl(baseUrlOf(request, addresses), id);
        // Some clients treat a response with neither a body nor this header as a failure.
        return wantsJson
          ? reply.redirect(item)
          : reply.code(204).header('location', item).send();
      },
    );
  }
}
