import type { Knex } from 'knex';
import { type Build, isStarted } from '../builds/Build.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { Kit } from '../setUpService.ts';
import { activityOf } from './activityOf.ts';
import { cdEventsOf } from './cdEvents.ts';
import { pageOf } from './pageOf.ts';

const CDEVENT = 'build.cdevent';
const ACTIVITY = 'build.activity';

/**
 * Tells the rest of the platform of builds that ended, at least once: what is to be sent
 * is written down with the end of the build.
 */
export function setUpReports(
  kit: Kit,
  { jobs }: { jobs: JobCatalog },
): { tell(trx: Knex.Transaction, build: Build): Promise<void> } {
  const { config, outbox, portal } = kit;
  const { portalToken, spaceMetrics } = config;
  const source =
    config.publicUrl ?? `http://${config.listen.host}:${config.listen.port}`;
  if (portalToken !== undefined) {
    outbox.addEndpoint({
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
    outbox.addEndpoint({
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
