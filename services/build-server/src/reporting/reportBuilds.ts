import { type Build, isStarted } from '../builds/Build.ts';
import type { Kit } from '../config.ts';
import type { Job } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import { cdEventsOf } from './cdEvents.ts';
import { pageOf } from './pageOf.ts';

const CDEVENT = 'build.cdevent';
const ACTIVITY = 'build.activity';

/** A transaction, as the outbox takes it. */
type Transaction = Parameters<Kit['outbox']['enqueue']>[0];

/**
 * Tells the rest of the platform of builds that ended, at least once: what is to be sent
 * is written down with the end of the build.
 *
 * @returns what to call in the transaction that writes the end down.
 */
export function reportBuilds(
  kit: Kit,
  { jobs }: { jobs: JobCatalog },
): { tell(trx: Transaction, build: Build): Promise<void> } {
  const { config, outbox, portal } = kit;
  const { portalToken, spaceMetrics } = config;
  const source =
    config.publicUrl ?? `http://${config.listen.host}:${config.listen.port}`;
  if (portalToken !== undefined) {
    outbox.endpoints.add({
      id: 'delivery-lake',
      url: `${portal.baseUrl}/api/delivery-lake/events`,
      events: [CDEVENT],
      headers: {
        Authorization: `Bearer ${portalToken}`,
        'Content-Type': 'application/cloudevents+json',
      },
    });
  }
  if (spaceMetrics) {
    outbox.endpoints.add({
      id: 'space-metrics',
      url: `${spaceMetrics.baseUrl}/api/v1/activity/events`,
      events: [ACTIVITY],
      headers: { 'X-API-Key': spaceMetrics.apiKey },
    });
  }
  return {
    async tell(trx, build) {
      const job = jobs.find(build.job);
      const { finishedAt } = build;
      if (!job || !isStarted(build) || finishedAt === null) {
        return;
      }
      const ended = { ...build, finishedAt };
      const url = pageOf(portal.appUrl, build);
      for (const payload of cdEventsOf(ended, { job, source, url })) {
        await outbox.enqueue(trx, { name: CDEVENT, payload });
      }
      await outbox.enqueue(trx, {
        name: ACTIVITY,
        payload: activityOf(ended, { job, source }),
      });
    },
  };
}

/** Puts a build as the SPACE metrics take it: `POST /api/v1/activity/events`. */
function activityOf(
  build: Build & { finishedAt: number },
  options: { job: Job; source: string },
): object {
  const { job, source } = options;
  return {
    source: source.slice(0, 128),
    events: [
      {
        id: `${build.job}#${build.number}`,
        kind: 'build',
        result: build.result,
        timestamp: new Date(build.finishedAt).toISOString(),
        ...(job.owner !== undefined && { team: job.owner }),
      },
    ],
  };
}
