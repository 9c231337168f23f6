import {
  chunksOf,
  type Database,
  GroupWriter,
  type Transaction,
} from '@slipway/service-kit';
import {
  type Build,
  type BuildOutcome,
  type BuildProgress,
  type Claim,
  type HeldBuild,
  type NewBuild,
  shortName,
} from '../builds/Build.ts';
import type { BuildListener } from './BuildListener.ts';
import { BuildReader } from './BuildReader.ts';
import { type BuildRow, storableName, toBuild } from './buildRows.ts';
import {
  abandonLost,
  acceptHeld,
  type BuildUpdate,
  claimBuilds,
  type ClaimOptions,
  finishHeld,
  lockHeld,
  type Loss,
  renewLeases,
  requeueLost,
  saveHeld,
} from './claims.ts';
import { enqueueBuilds } from './enqueueBuilds.ts';

/** The result of a trigger. */
interface Enqueued {
  build: Build;
  /** False if the trigger repeats an earlier one. */
  isNew: boolean;
}

/** Maximum number of triggers per commit, which limits how long the first of them waits. */
const MAX_TRIGGERS = 100;
/** Milliseconds to wait for further triggers during a burst. */
const ARRIVAL_MS = 10;
/** Rows per statement, see {@link chunksOf}. */
const ROWS = 500;

/**
 * Writes builds, from their trigger to their end, and reads what it has written. A write is durable
 * when its method returns. A running build belongs to the process that has claimed it: the writes of
 * a process whose claim is no longer valid change nothing.
 */
export class BuildStore extends BuildReader {
  readonly #options: { database: Database } & BuildListener;
  readonly #locks: boolean;
  /** Collects triggers that arrive during a commit into the next one. */
  readonly #triggers: GroupWriter<NewBuild, Enqueued>;

  constructor(options: { database: Database } & BuildListener) {
    super(options);
    this.#options = options;
    this.#locks = options.database.client === 'postgres';
    this.#triggers = new GroupWriter({
      groupSize: MAX_TRIGGERS,
      arrivalMs: ARRIVAL_MS,
      isolates: true,
      write: builds => this.#enqueue(builds),
    });
  }

  /** Reserves a number and queues the build, in one transaction. */
  async enqueue(build: NewBuild): Promise<Enqueued> {
    return this.#triggers.add(build);
  }

  async #enqueue(builds: readonly NewBuild[]): Promise<Enqueued[]> {
    const offer = this.#options.offer?.(new Set(builds.map(({ job }) => job)));
    let started: Build[] = [];
    try {
      return await this.#options.database.transaction(async trx => {
        const results: Enqueued[] = [];
        for (const { row, isNew } of await enqueueBuilds(trx, builds)) {
          const build = toBuild(row);
          if (isNew) {
            await this.#options.onQueued?.(trx, build);
          }
          results.push({ build, isNew });
        }
        started = offer ? await this.#claim(trx, offer.claim) : [];
        return results.map(({ build, isNew }) => ({
          build: started.find(({ id }) => id === build.id) ?? build,
          isNew,
        }));
      });
    } catch (error) {
      started = [];
      throw error;
    } finally {
      offer?.take(started);
    }
  }

  /** Starts queued builds that are due: each is claimed by exactly one process. */
  async claim(options: ClaimOptions): Promise<Build[]> {
    return this.#options.database.transaction(trx => this.#claim(trx, options));
  }

  async #claim(trx: Transaction, options: ClaimOptions): Promise<Build[]> {
    const rows = await claimBuilds(trx, { ...options, locks: this.#locks });
    return rows.map(toBuild);
  }

  /** Renews the leases of a process. @returns the builds it still owns; missing ones were taken away. */
  async renew(options: {
    worker: string;
    leaseUntil: number;
    /** Ids of the builds that it reports as running; others that it owns lose their lease. */
    only: readonly number[];
  }): Promise<HeldBuild[]> {
    return this.#options.database.transaction(trx => renewLeases(trx, options));
  }

  /**
   * Records that the owner of a build has started it.
   *
   * @returns undefined if the claim is no longer valid, or the build was stopped before
   * it started.
   */
  async accept(
    claim: Claim,
    times: { now: number; leaseUntil: number },
  ): Promise<Build | undefined> {
    return this.#change(trx => acceptHeld(trx, claim, times));
  }

  /**
   * Does work outside the database while the claim on a build cannot be taken away. The work may be
   * repeated, and must be idempotent.
   *
   * @returns false if the claim is no longer valid.
   */
  async whileHeld(claim: Claim, work: () => Promise<void>): Promise<boolean> {
    return this.#options.database.transaction(async trx => {
      const isHeld = await lockHeld(trx, claim, { locks: this.#locks });
      await (isHeld ? work() : undefined);
      return isHeld;
    });
  }

  /** Saves the progress of a build. @returns false if the claim is no longer valid. */
  async saveProgress(claim: Claim, progress: BuildProgress): Promise<boolean> {
    const changed = await this.#options.database.transaction(trx =>
      saveHeld(trx, claim, progress),
    );
    return changed > 0;
  }

  /** Ends a build with its outcome. @returns false if the claim is no longer valid. */
  async finish(claim: Claim, outcome: BuildOutcome): Promise<boolean> {
    const { cases = [] } = outcome.tests ?? {};
    return this.#end(
      trx => finishHeld(trx, claim, outcome),
      async (trx, build) => {
        if (cases.length > 0) {
          await this.#options.onTests?.(trx, build, cases);
        }
      },
    );
  }

  /** Ends a build whose process is gone; does nothing if the process has come back. */
  async abandon(
    claim: Claim,
    end: Loss & { now: number; reason: string },
  ): Promise<boolean> {
    return this.#end(
      trx => abandonLost(trx, claim, end),
      async () => end.note?.(),
    );
  }

  /**
   * Requeues a build whose process is gone, as a new attempt with the same number; does nothing if
   * the process has come back.
   *
   * @param end.keepsSteps - true if the new attempt resumes after the steps that have ended;
   * otherwise it starts over.
   */
  async requeue(
    claim: Claim,
    end: Loss & { countsAsLost?: boolean; keepsSteps?: boolean },
  ): Promise<boolean> {
    const build = await this.#change(
      trx => requeueLost(trx, claim, end),
      async (trx, queued) => {
        await end.note?.();
        await this.#options.onQueued?.(trx, queued);
      },
    );
    if (build) {
      this.#options.afterRequeued?.();
    }
    return build !== undefined;
  }

  /** Cancels a queued build, or requests the end of a running one. @returns the current build. */
  async requestStop(
    id: number,
    { by, now }: { by: string; now: number },
  ): Promise<Build | undefined> {
    const stop = { stop_requested_by: storableName(by) };
    const end = { reason: `Cancelled by ${shortName(by)}`, finished_at: now };
    const isCancelled = await this.#endQueued(id, { ...end, ...stop });
    if (!isCancelled) {
      // If it was started in the meantime, it is running.
      await this.#options.database.transaction(trx =>
        trx('builds')
          .where({ id, state: 'running' })
          .whereNull('stop_requested_by')
          .update(stop),
      );
    }
    const build = await this.findById(id);
    // It was queued again in the meantime.
    return build?.state === 'queued'
      ? this.requestStop(id, { by, now })
      : build;
  }

  /**
   * Ends queued builds of jobs that no server has seen for a while, since nothing would start them.
   *
   * @param options.unseenSince - milliseconds since the Unix epoch.
   * @returns the number of builds ended.
   */
  async endOrphans(options: {
    unseenSince: number;
    now: number;
  }): Promise<number> {
    const orphans = await this.listOrphans(options);
    for (const id of orphans) {
      const reason = 'Its job was removed';
      await this.#endQueued(id, { reason, finished_at: options.now });
    }
    return orphans.length;
  }

  #endQueued(id: number, columns: Partial<BuildRow>): Promise<boolean> {
    return this.#end(trx =>
      trx<BuildRow, number>('builds')
        .where({ id, state: 'queued' })
        .update({ state: 'finished', result: 'ABORTED', ...columns }),
    );
  }

  /** Stores the end of a build exactly once, and notifies the listener. */
  async #end(
    update: (trx: Transaction) => BuildUpdate,
    record?: (trx: Transaction, build: Build) => Promise<void>,
  ): Promise<boolean> {
    const build = await this.#change(update, async (trx, ended) => {
      await record?.(trx, ended);
      await this.#options.onFinished?.(trx, ended);
    });
    if (build) {
      this.#options.afterFinished?.(build);
    }
    return build !== undefined;
  }

  /**
   * Changes one build, and writes everything that depends on it in the same transaction.
   *
   * @returns the build, if it was changed.
   */
  async #change(
    update: (trx: Transaction) => BuildUpdate,
    record?: (trx: Transaction, build: Build) => Promise<void>,
  ): Promise<Build | undefined> {
    return this.#options.database.transaction(async trx => {
      const [row] = (await update(trx).returning('*')) as unknown as BuildRow[];
      const build = row && toBuild(row);
      await (build && record?.(trx, build));
      return build;
    });
  }

  /** Registers jobs, so that numbers can be reserved for them, and records when they were last seen. */
  async registerJobs(
    names: readonly string[],
    seenAt = Date.now(),
  ): Promise<void> {
    await this.#options.database.transaction(async trx => {
      for (const part of chunksOf(names, ROWS)) {
        await trx('jobs')
          .insert(part.map(name => ({ name, last_number: 0, seen_at: seenAt })))
          .onConflict('name')
          .merge(['seen_at']);
      }
    });
  }
}
