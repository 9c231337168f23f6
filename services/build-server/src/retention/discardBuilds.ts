import type { Artifacts } from '../artifacts/Artifacts.ts';
import type { BuildLogs } from '../logs/BuildLogs.ts';
import type { DiscardStore } from '../storage/DiscardStore.ts';
import type { DiscardPolicy } from './DiscardPolicy.ts';

const DAY_MS = 86_400_000;

/**
 * Removes old builds of a job with their logs and artifacts.
 *
 * @param parts.policy - which builds to keep.
 * @param parts.isRemoved - whether the job was removed; then its last good build is not
 * kept either.
 * @param parts.now - milliseconds since the Unix epoch.
 * @returns the number of builds removed.
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
    // Files first: after a crash, the remaining ones can still be found through their
    // build.
    await Promise.all(ids.map(id => logs.remove(id)));
    await Promise.all(ids.map(id => artifacts.remove(id)));
    await store.remove(ids);
    removed += ids.length;
  }
}
