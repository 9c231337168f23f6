import type { ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { Permissions } from '../access/Permissions.ts';
import {
  type BuildStep,
  isStarted,
  type StartedBuild,
} from '../builds/Build.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BuildReader } from '../storage/BuildReader.ts';
import type { BuildLookup } from './BuildLookup.ts';
import { AnyObject, BuildParams, JobParams } from './schemas.ts';
import { escaped } from './toXml.ts';
import { type Addresses, baseUrlOf, buildUrl, jobUrl } from './urls.ts';

/** The number of builds in a feed or a list of runs. */
const RECENT = 20;

const STATES = {
  pending: 'NOT_EXECUTED',
  running: 'IN_PROGRESS',
  waiting: 'PAUSED_PENDING_INPUT',
  done: 'SUCCESS',
  warning: 'UNSTABLE',
  failed: 'FAILED',
  skipped: 'NOT_EXECUTED',
} as const satisfies Record<BuildStep['state'], string>;

const RESULTS = {
  SUCCESS: 'SUCCESS',
  UNSTABLE: 'UNSTABLE',
  FAILURE: 'FAILED',
  ABORTED: 'ABORTED',
} as const;

const Runs = Type.Array(AnyObject);

/** Registers the routes that return builds by stage, in the format of Jenkins' stage view, and as feeds. */
export function stageRoutes(
  app: ServiceApp,
  options: {
    permissions: Permissions;
    jobs: JobCatalog;
    store: BuildReader;
    lookup: BuildLookup;
    addresses: Addresses;
    now: () => number;
  },
): void {
  const { permissions, jobs, store, lookup, addresses, now } = options;
  const config = { access: permissions.read };
  const recent = async (name: string) =>
    (await store.list(jobs.get(name).name, RECENT)).filter(isStarted);

  app.get(
    '/job/:job/wfapi/runs',
    {
      config,
      schema: {
        tags: ['builds'],
        summary: 'List the newest builds with their stages',
        params: JobParams,
        response: { 200: Runs },
      },
    },
    async ({ params }) =>
      (await recent(params.job)).map(build => runOf(build, now())),
  );

  for (const url of [
    '/job/:job/:build/wfapi',
    '/job/:job/:build/wfapi/describe',
  ]) {
    app.get(
      url,
      {
        config,
        schema: {
          tags: ['builds'],
          summary: 'Read a build with its stages',
          params: BuildParams,
          response: { 200: AnyObject },
        },
      },
      async ({ params }) => runOf(await lookup.build(params), now()),
    );
  }

  for (const [kind, results] of [
    ['rssAll', undefined],
    ['rssFailed', ['FAILURE', 'ABORTED', 'UNSTABLE']],
  ] as const) {
    app.get(
      `/job/:job/${kind}`,
      {
        config,
        schema: {
          tags: ['builds'],
          summary: 'Read the newest builds as an Atom feed',
          params: JobParams,
        },
      },
      async (request, reply) => {
        const builds = (await recent(request.params.job)).filter(
          ({ result }) => !results || results.some(one => one === result),
        );
        const base = baseUrlOf(request, addresses);
        return reply
          .type('application/atom+xml; charset=utf-8')
          .send(feedOf(request.params.job, { builds, base, now: now() }));
      },
    );
  }
}

function runOf(build: StartedBuild, now: number) {
  const { number, startedAt, finishedAt, queuedAt, steps, result } = build;
  return {
    id: String(number),
    name: `#${number}`,
    status: result ? RESULTS[result] : 'IN_PROGRESS',
    startTimeMillis: startedAt,
    endTimeMillis: finishedAt ?? now,
    durationMillis: (finishedAt ?? now) - startedAt,
    queueDurationMillis: startedAt - queuedAt,
    pauseDurationMillis: 0,
    stages: steps.map((step, index) => ({
      id: String(index + 1),
      name: step.name,
      status: STATES[step.state],
      startTimeMillis: step.startedAt ?? 0,
      durationMillis: durationOf(step, finishedAt ?? now),
      pauseDurationMillis: 0,
    })),
  };
}

function durationOf({ startedAt, finishedAt }: BuildStep, end: number): number {
  return startedAt === null ? 0 : (finishedAt ?? end) - startedAt;
}

function feedOf(
  job: string,
  { builds, base, now }: { builds: StartedBuild[]; base: string; now: number },
): string {
  const updated = (time: number) =>
    `<updated>${new Date(time).toISOString()}</updated>`;
  const entries = builds.map(build => {
    const url = escaped(buildUrl(base, build));
    const title = `${job} #${build.number} (${build.result ?? 'running'})`;
    return [
      `<entry><title>${escaped(title)}</title>`,
      `<link rel="alternate" type="text/html" href="${url}"/><id>${url}</id>`,
      `${updated(build.finishedAt ?? build.startedAt)}</entry>`,
    ].join('');
  });
  const url = escaped(jobUrl(base, job));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<title>${escaped(job)} all builds</title>`,
    `<link rel="alternate" type="text/html" href="${url}"/><id>${url}</id>`,
    `${updated(builds[0]?.startedAt ?? now)}<author><name>Slipway</name></author>`,
    ...entries,
    '</feed>',
  ].join('');
}
