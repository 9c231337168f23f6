import {
  type Access,
  NotFoundError,
  type ServiceApp,
} from '@slipway/service-kit';
import type { Permissions } from '../access/Permissions.ts';
import { isStarted } from '../builds/Build.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BuildReader } from '../storage/BuildReader.ts';
import { JobParams } from './schemas.ts';
import { escaped } from './toXml.ts';
import { type Addresses, baseUrlOf, jobUrl } from './urls.ts';

const SHOWN = {
  SUCCESS: { word: 'passing', color: '#2e7d32', cc: 'Success' },
  UNSTABLE: { word: 'unstable', color: '#b26a00', cc: 'Failure' },
  FAILURE: { word: 'failing', color: '#c62828', cc: 'Failure' },
  ABORTED: { word: 'aborted', color: '#616161', cc: 'Exception' },
} as const;
const UNKNOWN = { word: 'unknown', color: '#616161', cc: 'Unknown' } as const;

/** Registers the routes that show the state of jobs, for readme files and wall monitors. */
export function badgeRoutes(
  app: ServiceApp,
  options: {
    anyone: Access;
    permissions: Permissions;
    jobs: JobCatalog;
    store: BuildReader;
    addresses: Addresses;
  },
): void {
  const { anyone, permissions, jobs, store, addresses } = options;

  app.get(
    '/job/:job/badge.svg',
    {
      config: { access: anyone, faults: ['notFound'] },
      schema: {
        tags: ['jobs'],
        summary: 'Get the public badge of a job',
        params: JobParams,
      },
    },
    async ({ params }, reply) => {
      const job = jobs.find(params.job);
      if (!job?.publicBadge) {
        // Does not reveal whether the job exists.
        throw new NotFoundError(`Job ${params.job} has no badge`);
      }
      // With pipelines, the job of the main branch has the builds that count.
      const { name } = jobs.mainBranchOf(job.name) ?? job;
      const last = await store.findNewest(name, { completed: true });
      const { word, color } = last?.result ? SHOWN[last.result] : UNKNOWN;
      return reply
        .type('image/svg+xml; charset=utf-8')
        .header('cache-control', 'no-cache')
        .send(badgeOf(word, color));
    },
  );

  app.get(
    '/cc.xml',
    {
      config: { access: permissions.read },
      schema: {
        tags: ['jobs'],
        summary: 'List the states of jobs as CCTray and CCMenu read them',
      },
    },
    async (request, reply) => {
      const base = baseUrlOf(request, addresses);
      const projects = await Promise.all(
        jobs.all().map(async ({ name }) => {
          const [newest] = (await store.list(name, 1)).filter(isStarted);
          const last = await store.findNewest(name, { completed: true });
          const { cc } = last?.result ? SHOWN[last.result] : UNKNOWN;
          const time = new Date(last?.finishedAt ?? 0).toISOString();
          return `<Project name="${escaped(name)}" activity="${
            newest && newest.state !== 'finished' ? 'Building' : 'Sleeping'
          }" lastBuildStatus="${cc}" lastBuildLabel="${
            last?.number ?? ''
          }" lastBuildTime="${time}" webUrl="${escaped(jobUrl(base, name))}"/>`;
        }),
      );
      return reply
        .type('application/xml; charset=utf-8')
        .send(`<Projects>${projects.join('')}</Projects>`);
    },
  );
}

function badgeOf(word: string, color: string): string {
  const width = 46 + word.length * 7;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="build: ${word}">`,
    `<rect width="40" height="20" fill="#424242"/><rect x="40" width="${width - 40}" height="20" fill="${color}"/>`,
    '<g fill="#fff" font-family="Verdana,sans-serif" font-size="11">',
    `<text x="6" y="14">build</text><text x="45" y="14">${word}</text></g></svg>`,
  ].join('');
}
