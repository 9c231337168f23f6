import type { Artifacts } from '../artifacts/Artifacts.ts';
import type { BuildLogs } from '../logs/BuildLogs.ts';
import type { DiscardStore } from '../storage/DiscardStore.ts';
import type { DiscardPolicy } from './DiscardPolicy.ts';

const DAY_MS = 86_400_000;

/**
 * Removes old builds of a job with their logs and artifacts.
 *
 * @param parts.policy - what is kept.
 * @param parts.isRemoved - whether the job is gone, of which no build is kept as its last good one.
 * @param parts.now - milliseconds since the Unix epoch.
 * @returns how many builds it has removed.
 */
export async function discardBuilds(
  job: string,
  parts: {
    store: DiscardStore;
    logs: Pick<BuildLogs, 'remove'>;
    artifacts: Pick<Artifacts, 'remove'>;
    policy: DiscardPolicy;
    isRemoved: boolean;
    now: number;
  },
): Promise<number> {
  const { store, logs, artifacts, policy, now } = parts;
  const { keepBuilds, keepDays } = policy;
  const bounds = {
    keepsLast: !parts.isRemoved,
    keepBuilds,
    endedBefore: keepDays === undefined ? undefined : now - keepDays * DAY_MS,
  };
  for (let removed = 0; ;) {
    const ids = await store.listDiscardable(job, bounds);
    if (ids.length === 0) {
      return removed;
    }
    // The files first: what a crash leaves is still found by its build.
    await Promise.all(ids.map(id => logs.remove(id)));
    await Promise.all(ids.map(id => artifacts.remove(id)));
    await store.remove(ids);
    removed += ids.length;
  }
}
