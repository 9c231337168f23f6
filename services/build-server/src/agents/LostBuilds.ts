import type { RunningClaim } from '../builds/Build.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BuildLogs } from '../logs/BuildLogs.ts';
import type { BuildStore } from '../storage/BuildStore.ts';
import { agentOf } from './Agent.ts';

/** Handles builds whose process is gone: they end, or are queued again if their job says so. */
export class LostBuilds {
  readonly #options: {
    store: BuildStore;
    jobs: Pick<JobCatalog, 'find'>;
    logs: BuildLogs;
    now: () => number;
  };

  constructor(options: {
    store: BuildStore;
    jobs: Pick<JobCatalog, 'find'>;
    logs: BuildLogs;
    now: () => number;
  }) {
    this.#options = options;
  }

  /**
   * Ends a build or queues it again, unless its process has come back.
   *
   * @param options.reason - a sentence for people.
   * @param options.leaseEndedBefore - milliseconds since the Unix epoch; omitted if the
   * process is known to be gone.
   * @param options.mayRetry - true for builds of this server whose pod is gone.
   * @returns whether the build was changed.
   */
  async end(
    claim: RunningClaim & { job: string },
    options: { reason: string; leaseEndedBefore?: number; mayRetry?: boolean },
  ): Promise<boolean> {
    const { reason, leaseEndedBefore } = options;
    const { store, jobs, logs, now } = this.#options;
    const end = { now: now(), reason, leaseEndedBefore };
    // A build that was never accepted has never run.
    const isUnstarted = !claim.isAccepted;
    const { retryLostAgent = 0 } = jobs.find(claim.job) ?? {};
    const isRetried =
      (options.mayRetry || agentOf(claim.worker) !== undefined) &&
      !claim.isStopped &&
      (isUnstarted || claim.lostAttempts < retryLostAgent);
    const isOurs = isRetried
      ? await store.requeue(claim, { ...end, countsAsLost: !isUnstarted })
      : await store.abandon(claim, end);
    if (isOurs && !(isRetried && isUnstarted)) {
      // The process may have been lost between the end of its log and its report.
      await logs.discardResult(claim.id);
      const log = await logs.append(claim.id);
      try {
        await log.note(
          `\n==> ${reason}\n${isRetried ? 'The build begins again' : 'Finished: ABORTED'}`,
        );
      } finally {
        await log.close();
      }
    }
    return isOurs;
  }
}
