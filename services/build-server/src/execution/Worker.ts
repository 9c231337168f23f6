import {
  type Build,
  type HeldBuild,
  isStarted,
  type StartedBuild,
} from '../builds/Build.ts';
import type { Kit } from '../config.ts';
import { mayRun } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BuildStore } from '../storage/BuildStore.ts';
import type { ClaimOptions, Offer } from '../storage/claims.ts';
import { Interrupter, type Interruption } from './commands.ts';

const POLL_MS = 500;
const RENEW_MS = 1_000;

/** Logs events of the process that runs builds. */
export type WorkerLogger = Pick<Kit['logger'], 'info' | 'warn' | 'error'>;

/** A build while this process owns it. */
export interface Hold {
  /** Aborts when the build must end; its reason is an {@link Interruption}. */
  signal: AbortSignal;
  /** Aborts when the build must end without cleaning up. */
  killSignal: AbortSignal;
  /** Records whether the build only waits for a person, so that another one may start. */
  setIdle(isIdle: boolean): void;
  /** True once the process is shutting down and must not wait for anything. */
  isShuttingDown(): boolean;
}

interface Held {
  attempt: number;
  interrupter: Interrupter;
  done: Promise<void>;
  isIdle: boolean;
}

/** Dependencies of a {@link Worker}. */
export interface WorkerOptions {
  /** Identifies this process. */
  id: string;
  store: Pick<BuildStore, 'claim' | 'renew' | 'requestStop'>;
  jobs: Pick<JobCatalog, 'enabled'>;
  /** The labels of this process. */
  labels: ReadonlySet<string>;
  /** Builds at a time; with 0 it starts none. */
  executors: number;
  leaseMs: number;
  /** Waits until builds may start; never fails. */
  untilSettled?(): Promise<void>;
  /** Checks whether builds may start now; they may by default. */
  isSettled?(): boolean;
  now: () => number;
  logger: WorkerLogger;
  /** Runs a build to its end. If it fails, the build ends with its lease. */
  run(build: StartedBuild, hold: Hold): Promise<void>;
}

/**
 * Starts due builds, up to its number of executors, and keeps each one while the store confirms
 * that this process owns it: a build that was taken away is stopped immediately.
 */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #held = new Map<number, Held>();
  readonly #timers: NodeJS.Timeout[] = [];
  /** Numbers of executors offered to builds that are being queued, by offer. */
  readonly #offers = new Map<Promise<void>, number>();
  #renewedAt: number;
  /** Resolves when the latest search for queued builds has ended. */
  #filled: Promise<void> = Promise.resolve();
  #isFilling = false;
  /** The time when the current renewal began; undefined if there is none. */
  #renewingSince: number | undefined;
  #woken = false;
  #stopping = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#renewedAt = options.now();
  }

  /** The number of builds running here, without those waiting for a person. */
  get size(): number {
    return [...this.#held.values()].filter(({ isIdle }) => !isIdle).length;
  }

  start(): void {
    if (this.#options.executors === 0) {
      return;
    }
    this.#timers.push(
      setInterval(() => this.wake(), POLL_MS),
      setInterval(() => void this.renew(), RENEW_MS),
    );
    this.wake();
  }

  /** Looks for work now instead of at the next poll; call it after a trigger. */
  wake(): void {
    if (this.#stopping || this.#options.executors === 0) {
      return;
    }
    this.#woken = true;
    if (!this.#isFilling) {
      this.#filled = this.#fill();
    }
  }

  /**
   * Offers the free executors to builds that are being queued.
   *
   * @param names - names of the jobs of these builds.
   * @returns undefined if no build may start now.
   */
  offer(names: ReadonlySet<string>): Offer | undefined {
    const limit = this.#free;
    const { isSettled = () => true } = this.#options;
    if (this.#stopping || limit <= 0 || !isSettled()) {
      return undefined;
    }
    let resolve = () => {};
    const answered = new Promise<void>(done => {
      resolve = done;
    });
    this.#offers.set(answered, limit);
    return {
      claim: this.#claimOf(limit, name => names.has(name)),
      take: builds => {
        this.#offers.delete(answered);
        builds.filter(isStarted).forEach(build => this.#begin(build));
        resolve();
        if (this.#woken) {
          this.wake();
        }
      },
    };
  }

  /**
   * Cancels a queued build or stops a running one; does nothing to a finished one. The request is
   * stored first, so that other processes see it and a restart of this one does not lose it.
   */
  async stopBuild(id: number, by: string): Promise<Build | undefined> {
    const { store, now } = this.#options;
    const build = await store.requestStop(id, { by, now: now() });
    if (build?.state === 'running') {
      this.#interrupt(id, { kind: 'stopped', by: build.stopRequestedBy ?? by });
    }
    return build;
  }

  /** Stops every build running here, and waits until that is stored. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#filled;
    await Promise.all(this.#offers.keys());
    const builds = [...this.#held.values()];
    const reason: Interruption = { kind: 'shutdown' };
    builds.forEach(({ interrupter }) => interrupter.interrupt(reason));
    await Promise.all(builds.map(({ done }) => done));
    // Leases are renewed until here: stopping may take longer than a lease.
    this.#timers.forEach(timer => clearInterval(timer));
  }

  /** Renews the leases of this process, and stops builds that were cancelled or taken away. */
  async renew(): Promise<void> {
    const { id: worker, store, leaseMs, now, logger } = this.#options;
    const before = [...this.#held];
    if (before.length === 0) {
      this.#renewedAt = now();
      return;
    }
    const since = this.#renewingSince;
    if (since !== undefined) {
      // The renewal has had no response from the database so far.
      this.#endExpired();
      if (now() - since > leaseMs) {
        // Its connection may be broken: allows another one, for the leases of builds that start later.
        this.#renewingSince = undefined;
      }
      return;
    }
    const renewedAt = now();
    this.#renewingSince = renewedAt;
    try {
      const leaseUntil = renewedAt + leaseMs;
      // A build whose end could not be stored is no longer held, so that its lease expires.
      const only = before.map(([id]) => id);
      const mine = await store.renew({ worker, leaseUntil, only });
      this.#renewedAt = Math.max(this.#renewedAt, renewedAt);
      before.forEach(([id, { attempt }]) => this.#check(id, attempt, mine));
    } catch (error) {
      logger.warn({ err: error }, 'Leases could not be renewed');
      this.#endExpired();
    } finally {
      if (this.#renewingSince === renewedAt) {
        this.#renewingSince = undefined;
      }
    }
  }

  /** Stops all builds if their leases have expired: other processes may start what waits for them. */
  #endExpired(): void {
    const { leaseMs, now } = this.#options;
    if (now() - this.#renewedAt > leaseMs) {
      [...this.#held.keys()].forEach(id =>
        this.#interrupt(id, { kind: 'lost' }),
      );
    }
  }

  #check(id: number, attempt: number, mine: readonly HeldBuild[]): void {
    const found = mine.find(
      build => build.id === id && build.attempt === attempt,
    );
    if (!found) {
      this.#interrupt(id, { kind: 'lost' });
    } else if (found.stopRequestedBy !== null) {
      this.#interrupt(id, { kind: 'stopped', by: found.stopRequestedBy });
    }
  }

  #interrupt(id: number, reason: Interruption): void {
    this.#held.get(id)?.interrupter.interrupt(reason);
  }

  /** The number of builds that may start. */
  get #free(): number {
    const offered = [...this.#offers.values()];
    return offered.reduce(
      (left, count) => left - count,
      this.#options.executors - this.size,
    );
  }

  #claimOf(limit: number, isWanted: (job: string) => boolean): ClaimOptions {
    const { id: worker, jobs, labels, now, leaseMs } = this.#options;
    const claimedAt = now();
    return {
      worker,
      jobs: jobs
        .enabled()
        .filter(job => isWanted(job.name) && mayRun(job, labels))
        .map(({ name, concurrent = false }) => ({ name, serial: !concurrent })),
      limit,
      now: claimedAt,
      leaseUntil: claimedAt + leaseMs,
      isAccepted: true,
    };
  }

  async #fill(): Promise<void> {
    const { store, logger } = this.#options;
    this.#isFilling = true;
    try {
      while (this.#woken && !this.#stopping) {
        if (this.#free <= 0) {
          return;
        }
        await this.#options.untilSettled?.();
        this.#woken = false;
        const limit = this.#free;
        if (limit <= 0) {
          return;
        }
        const builds = await store.claim(this.#claimOf(limit, () => true));
        builds.filter(isStarted).forEach(build => this.#begin(build));
      }
    } catch (error) {
      logger.warn({ err: error }, 'Queued builds could not be claimed');
    } finally {
      // Runs synchronously after the last check of `#woken`, so that no wake is missed in between.
      this.#isFilling = false;
    }
  }

  #begin(build: StartedBuild): void {
    const { id, attempt } = build;
    const interrupter = new Interrupter();
    const done = this.#options
      .run(build, {
        signal: interrupter.signal,
        killSignal: interrupter.killSignal,
        setIdle: isIdle => {
          const held = this.#held.get(id);
          if (held?.attempt === attempt) {
            held.isIdle = isIdle;
          }
          this.wake();
        },
        isShuttingDown: () => this.#stopping,
      })
      .catch((error: unknown) =>
        this.#options.logger.error(
          { err: error, build: `${build.job} #${build.number}` },
          'A build was given up because of an internal error',
        ),
      )
      .finally(() => {
        // A build that was taken away may have started here again while its earlier attempt was
        // ending.
        if (this.#held.get(id)?.attempt === attempt) {
          this.#held.delete(id);
        }
        this.wake();
      });
    this.#held.set(id, { attempt, interrupter, done, isIdle: false });
  }
}
