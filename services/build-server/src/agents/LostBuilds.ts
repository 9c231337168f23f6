import type { Claim, RunningClaim } from '../builds/Build.ts';
import { describeInterruption } from '../execution/commands.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { WorkerLogger } from '../execution/Worker.ts';
import type { BuildLogs } from '../logs/BuildLogs.ts';
import type { BuildStore } from '../storage/BuildStore.ts';
import { type Agent, agentOf, workerOf } from './Agent.ts';

/** Dependencies of {@link LostBuilds}. */
interface LostBuildsOptions {
  store: BuildStore;
  jobs: Pick<JobCatalog, 'find'>;
  logs: BuildLogs;
  now: () => number;
  logger: Pick<WorkerLogger, 'warn'>;
}

/**
 * Handles builds whose process is gone: they end, or are queued again if their job says so.
 * Builds of a server that only wait for a person are always queued again, and resume.
 */
export class LostBuilds {
  readonly #options: LostBuildsOptions;

  constructor(options: LostBuildsOptions) {
    this.#options = options;
  }

  /**
   * Ends a build or queues it again, unless its process has come back.
   *
   * @param options.reason - a sentence for people.
   * @param options.leaseEndedBefore - milliseconds since the Unix epoch; omitted if the
   * process is known to be gone.
   * @param options.isPlaceGone - true for builds of this server whose pod or files are gone.
   * @returns whether the build was changed.
   */
  async end(
    claim: RunningClaim & { job: string },
    options: {
      reason: string;
      leaseEndedBefore?: number;
      isPlaceGone?: boolean;
    },
  ): Promise<boolean> {
    const { leaseEndedBefore, isPlaceGone = false } = options;
    const { store, jobs, logs, now } = this.#options;
    // A build that was never accepted has never run.
    const isUnstarted = !claim.isAccepted;
    const { retryLostAgent = 0 } = jobs.find(claim.job) ?? {};
    const isAgent = agentOf(claim.worker) !== undefined;
    const isStopped = claim.stopRequestedBy !== null;
    const resumes = claim.isWaiting && !isStopped && !isAgent && !isPlaceGone;
    const mayRetry = (isPlaceGone || isAgent) && !isStopped;
    const isRetried =
      mayRetry && (isUnstarted || claim.lostAttempts < retryLostAgent);
    const isTooOften = mayRetry && !isRetried && retryLostAgent > 0;
    const reason = reasonFor(claim, { ...options, isTooOften });
    const next = isRetried ? 'The build begins again' : 'Finished: ABORTED';
    const text = `==> ${reason}\n${resumes ? 'The build resumes' : next}`;
    const loss = {
      leaseEndedBefore,
      ...(!(isRetried && isUnstarted) && {
        note: () => logs.amend(claim.id, text),
      }),
    };
    if (!resumes && !isRetried) {
      return store.abandon(claim, { ...loss, reason, now: now() });
    }
    const isQueued = await store.requeue(claim, {
      ...loss,
      keepsSteps: resumes,
      countsAsLost: !resumes && !isUnstarted,
    });
    if (isQueued) {
      return true;
    }
    const current = await this.#find(claim);
    // A person may have stopped it in the meantime.
    return current !== undefined && current.stopRequestedBy !== null
      ? this.end(current, options)
      : false;
  }

  /**
   * Ends the builds of earlier sessions of an agent, or queues them again. If this fails for a
   * build, e.g. because its log cannot be written, recovery retries it later, so the agent can
   * already run builds.
   *
   * @param session - the current one.
   */
  async endEarlier(
    agent: Pick<Agent, 'id' | 'name'>,
    session: string,
  ): Promise<void> {
    const { store, logger } = this.#options;
    const own = workerOf(agent.id, session);
    const before = workerOf(agent.id, '');
    for (const claim of await store.listRunning()) {
      if (claim.worker.startsWith(before) && claim.worker !== own) {
        const reason = `The agent ${agent.name} was started anew`;
        await this.end(claim, { reason }).catch((error: unknown) =>
          logger.warn(
            { err: error, build: claim.id },
            'A lost build could not be ended yet',
          ),
        );
      }
    }
  }

  /** Ends a build that was started while its job was removed. */
  async endRemoved(claim: Claim): Promise<void> {
    const { store, logs, now } = this.#options;
    const reason = 'Its job was removed';
    const text = `==> ${reason}\nFinished: ABORTED`;
    await store.abandon(claim, {
      reason,
      now: now(),
      note: () => logs.amend(claim.id, text),
    });
  }

  /**
   * Ends a build that a person stopped before its agent began it. Nothing runs yet, so there is no
   * need to wait for its lease to expire.
   */
  async endStopped(own: Claim): Promise<void> {
    const claim = await this.#find(own);
    if (claim && claim.stopRequestedBy !== null && !claim.isAccepted) {
      await this.end(claim, { reason: 'It had not begun' });
    }
  }

  /** Requeues a build that only waits for a person, so that another process can resume it. */
  async suspend(claim: Claim): Promise<void> {
    const reason = 'The build server was shut down';
    await this.#endClaim(claim, { reason });
  }

  /** Ends or requeues a build of this server whose pod or files are gone. */
  async losePlace(claim: Claim, reason: string): Promise<void> {
    await this.#endClaim(claim, { reason, isPlaceGone: true });
  }

  async #endClaim(
    own: Claim,
    options: { reason: string; isPlaceGone?: boolean },
  ): Promise<void> {
    const claim = await this.#find(own);
    if (claim) {
      await this.end(claim, options);
    }
  }

  async #find({ id, attempt, worker }: Claim) {
    const claims = await this.#options.store.listRunning();
    return claims.find(
      one => one.id === id && one.attempt === attempt && one.worker === worker,
    );
  }
}

/** Returns why a build ended, for people; a stop requested by one of them comes first. */
function reasonFor(
  { stopRequestedBy: by, isAccepted, lostAttempts }: RunningClaim,
  { reason, isTooOften }: { reason: string; isTooOften: boolean },
): string {
  if (by !== null) {
    const stopped = describeInterruption({ kind: 'stopped', by });
    return isAccepted ? `${stopped}. ${reason}` : stopped;
  }
  // Explains why a build has ended although its job allows retries.
  return isTooOften
    ? `Lost ${lostAttempts + 1} times, more often than its job allows. ${reason}`
    : reason;
}
