import type { Artifacts } from '../artifacts/Artifacts.ts';
import type { Kit } from '../config.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import { type DiscardPolicy, discardPolicyOf } from '../jobs/JobParts.ts';
import type { BuildLogs } from '../logs/BuildLogs.ts';
import { DiscardStore } from '../storage/DiscardStore.ts';

/** Builds of an inactive job are only discarded by age. */
const DISCARD_MS = 3_600_000;
const DAY_MS = 86_400_000;

/**
 * Discards old builds when the service starts, and every hour.
 *
 * @returns a function to call when a build of a job has ended; it never fails.
 */
export function startDiscarding(
  kit: Kit,
  parts: { jobs: JobCatalog; logs: BuildLogs; artifacts: Artifacts },
): (job: string) => Promise<void> {
  const { config, database, now, logger } = kit;
  const { jobs, logs, artifacts } = parts;
  const store = new DiscardStore(database);
  const common = config.discardOldBuilds;
  // The builds of a removed job are not kept forever.
  const removed = { keepDays: config.keepRemovedJobsDays };
  const discard = async (name: string) => {
    try {
      const job = jobs.find(name);
      const policy = job
        ? discardPolicyOf(job, common)
        : { ...common, ...removed };
      await discardBuilds(name, {
        ...{ store, logs, artifacts, policy, now: now() },
        isRemoved: !job,
      });
    } catch (error) {
      logger.warn(
        { err: error, job: name },
        'Old builds could not be discarded',
      );
    }
  };
  kit.every({
    name: 'Discarding old builds',
    everyMs: DISCARD_MS,
    async work() {
      for (const name of await store.listJobs()) {
        await discard(name);
      }
      await store.removeUnusedTests();
    },
  });
  return discard;
}

/**
 * Removes old builds of a job with their logs and artifacts.
 *
 * @param parts.policy - which builds to keep.
 * @param parts.isRemoved - true if the job was removed: its last successful build is not exempt
 * then, nor after a while the builds that people keep.
 * @param parts.now - milliseconds since the Unix epoch.
 */
async function discardBuilds(
  job: string,
  parts: BuildFiles & {
    store: DiscardStore;
    policy: DiscardPolicy;
    isRemoved: boolean;
    now: number;
  },
): Promise<void> {
  const { store, policy, now } = parts;
  const { keepBuilds, keepDays } = policy;
  const bounds = {
    isRemoved: parts.isRemoved,
    keepBuilds,
    endedBefore: keepDays === undefined ? undefined : now - keepDays * DAY_MS,
  };
  for (;;) {
    const ids = await store.listDiscardable(job, bounds);
    if (ids.length === 0) {
      return;
    }
    const begun = await store.begin(ids, {
      now,
      evenKept: await store.isForgotten(job, bounds),
    });
    await removeFiles(begun, parts);
    await store.remove(begun);
  }
}

/** The stores that contain the files of builds. */
export interface BuildFiles {
  logs: Pick<BuildLogs, 'remove'>;
  artifacts: Pick<Artifacts, 'remove'>;
}

/**
 * Removes the files of builds. Call it before removing the builds themselves: after a crash,
 * leftover files can then still be found through their build.
 */
export async function removeFiles(
  ids: readonly number[],
  { logs, artifacts }: BuildFiles,
): Promise<void> {
  await Promise.all(ids.map(id => logs.remove(id)));
  await Promise.all(ids.map(id => artifacts.remove(id)));
}
