import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BuildLogs } from '../logs/BuildLogs.ts';
import type { Kit } from '../setUpService.ts';
import { BuildDiscarder } from './BuildDiscarder.ts';
import { DatabaseDiscardStore } from './DatabaseDiscardStore.ts';

/** Age alone discards builds of a job that nobody runs any more. */
const EVERY_MS = 3_600_000;

/**
 * Discards old builds when one has ended, when the service starts and every hour.
 *
 * @returns what to call at the end of a build of a job.
 */
export function setUpRetention(
  kit: Kit,
  { jobs, logs }: { jobs: JobCatalog; logs: BuildLogs },
): (job: string) => Promise<void> {
  const { config, database, now, logger } = kit;
  const discarder = new BuildDiscarder({
    store: new DatabaseDiscardStore(database),
    logs,
    common: config.discardOldBuilds,
    now,
  });
  const discard = async (name: string) => {
    try {
      await discarder.discard(jobs.get(name));
    } catch (error) {
      logger.warn({ err: error, job: name }, 'Old builds are still there');
    }
  };
  kit.every({
    name: 'Discarding old builds',
    everyMs: EVERY_MS,
    async work() {
      for (const { name } of jobs.all()) {
        await discard(name);
      }
    },
  });
  return discard;
}
