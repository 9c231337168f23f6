import type { Job } from '../jobs/Job.ts';
import type { BuildLogs } from '../logs/BuildLogs.ts';
import type { DiscardStore } from '../storage/DiscardStore.ts';
import { type DiscardPolicy, policyOf } from './DiscardPolicy.ts';

const DAY_MS = 86_400_000;

/**
 * Removes old builds of a job with their logs, as far as the job wants that.
 *
 * @param parts.common - holds for all jobs that say nothing else.
 * @param parts.now - milliseconds since the Unix epoch.
 * @returns how many builds it has removed.
 */
export async function discardBuilds(
  job: Job,
  parts: {
    store: DiscardStore;
    logs: Pick<BuildLogs, 'remove'>;
    common: DiscardPolicy;
    now: number;
  },
): Promise<number> {
  const { store, logs, common, now } = parts;
  const { keepBuilds, keepDays } = policyOf(job, common);
  const bounds = {
    keepBuilds,
    endedBefore: keepDays === undefined ? undefined : now - keepDays * DAY_MS,
  };
  for (let removed = 0; ;) {
    const ids = await store.listDiscardable(job.name, bounds);
    if (ids.length === 0) {
      return removed;
    }
    // The log first: what a crash leaves is still found by its build.
    await Promise.all(ids.map(id => logs.remove(id)));
    await store.remove(ids);
    removed += ids.length;
  }
}
