import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Order, workerOf } from '../agents/Agent.ts';
import { Interrupter, type Interruption } from '../execution/commands.ts';
import { EngineError } from '../execution/containers/engineResponses.ts';
import type { Executor, ImagesStatus } from '../execution/Executor.ts';
import type { ProbeImages } from '../execution/openExecutor.ts';
import type { WorkerLogger } from '../execution/Worker.ts';
import { acceptBuild } from './acceptBuild.ts';
import { LogUplink } from './LogUplink.ts';
import { runOrder } from './runOrder.ts';
import { isDismissal, isRefusal, type ServerLink } from './ServerLink.ts';

const WAIT_MS = 15_000;
const RETRY_MS = 1_000;
const RENEW_MS = 1_000;
const PROBE_MS = 15_000;

interface Running {
  attempt: number;
  interrupter: Interrupter;
  uplink: LogUplink;
  done: Promise<void>;
  isIdle: boolean;
}

/** Dependencies of an {@link AgentRunner}. */
interface RunnerOptions {
  /** The agent's own id, used to find processes left over from an earlier start. */
  id: string;
  link: ServerLink;
  executor: Executor;
  /** Probes the executor of jobs with a container; omitted if there is none. */
  probeImages?: ProbeImages;
  /** Milliseconds between two probes; 15,000 by default. */
  probeMs?: number;
  /** Absolute path; contains logs and artifacts until the server has received them. */
  directory: string;
  capacity: number;
  version: string;
  caFile?: string;
  /** Variables of every build, which jobs may replace. */
  environment?: Readonly<Record<string, string>>;
  logger: WorkerLogger;
}

/** Fetches builds from the server and runs them, up to its capacity at a time. */
export class AgentRunner {
  readonly #options: RunnerOptions;
  readonly #running = new Map<number, Running>();
  readonly #stopping = new AbortController();
  #leaseMs = 0;
  /** Monotonic time until which the lease is certainly valid. */
  #heldUntil = 0;
  #isStopped = false;
  #announced: ImagesStatus | null = null;
  /** Wakes {@link #fetchAll} while it waits for a build to end. */
  #freed = () => {};

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /**
   * Runs until {@link stop}, or until the agent is removed.
   *
   * @throws RefusedError if the server does not know the agent, or does not support its
   * version; EngineError if containers of an earlier start may still run.
   */
  async run(): Promise<void> {
    const { id, link, executor, logger } = this.#options;
    const own = workerOf(id, link.session);
    const others = workerOf(id, '');
    // The server may requeue builds of an earlier start as soon as this one begins its
    // session.
    await executor.sweep(
      async worker => worker.startsWith(others) && worker !== own,
    );
    await executor
      .tidy(async ids => ids)
      .catch((error: unknown) => {
        if (error instanceof EngineError) {
          // Containers of earlier builds may still run.
          throw error;
        }
        logger.warn({ err: error }, 'Files of earlier builds are left');
      });
    const name = await this.#announce(await this.#probe());
    logger.info(`The agent ${name} waits for builds`);
    const renewing = this.#renewAll();
    const probing = this.#probeAll();
    try {
      await this.#fetchAll();
    } finally {
      this.#stopping.abort();
      await Promise.all([...this.#running.values()].map(({ done }) => done));
      await Promise.all([renewing, probing]);
    }
  }

  /** Reports to the server what this agent can run. @returns the name of the agent. */
  async #announce(containers: ImagesStatus | null): Promise<string> {
    const { link, executor, capacity, version } = this.#options;
    const status = { ...executor.status, containers };
    const { name, leaseMs } = await this.#insist(() =>
      link.begin({ capacity, version, executor: status }),
    );
    this.#leaseMs = leaseMs;
    this.#announced = containers;
    return name;
  }

  async #probe(): Promise<ImagesStatus | null> {
    return (await this.#options.probeImages?.()) ?? null;
  }

  /** Reports to the server when containers stop or start working. */
  async #probeAll(): Promise<void> {
    const { probeImages, probeMs = PROBE_MS, logger } = this.#options;
    const { signal } = this.#stopping;
    while (probeImages && !signal.aborted) {
      await sleep(probeMs, undefined, { signal }).catch(() => undefined);
      const now = await this.#probe();
      if (!signal.aborted && now?.fault !== this.#announced?.fault) {
        await this.#announce(now).catch((error: unknown) =>
          logger.warn(
            { err: error },
            'The state of containers was not reported',
          ),
        );
      }
    }
  }

  /** Accepts no more builds; {@link run} returns once the running ones have ended. */
  drain(): void {
    this.#stopping.abort();
    this.#freed();
  }

  /** Drains, and also interrupts the running builds. */
  stop(): void {
    this.#isStopped = true;
    this.drain();
    this.#interruptAll({ kind: 'shutdown' });
  }

  async #fetchAll(): Promise<void> {
    const { link, capacity, logger } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const busy = [...this.#running.values()].filter(({ isIdle }) => !isIdle);
      const free = capacity - busy.length;
      if (free <= 0) {
        await new Promise<void>(resolve => {
          this.#freed = resolve;
        });
        continue;
      }
      try {
        const orders = await link.work({ free, waitMs: WAIT_MS }, signal);
        await Promise.all(orders.map(order => this.#begin(order)));
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        if (isDismissal(error)) {
          this.#interruptAll({ kind: 'lost' });
          throw error;
        }
        logger.warn({ err: error }, 'Could not fetch builds; retrying');
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Starts a build once the server has confirmed that this agent still owns it. */
  async #begin(order: Order): Promise<void> {
    const { link, logger } = this.#options;
    const { build } = order;
    let acceptedAt = 0;
    // An earlier attempt that was taken away may still be ending.
    await this.#running.get(build.id)?.done;
    try {
      acceptedAt = await acceptBuild(link, build, {
        leaseMs: this.#leaseMs,
        isStopped: () => this.#isStopped,
      });
    } catch (error) {
      logger.warn(
        { err: error, build: build.id },
        'A build could not be started',
      );
      return;
    }
    if (this.#running.size === 0) {
      this.#heldUntil = acceptedAt + this.#leaseMs;
    }
    const interrupter = new Interrupter();
    const logs = path.join(this.#options.directory, 'logs');
    await rm(path.join(logs, `${build.id}.log`), { force: true });
    const uplink = new LogUplink({
      link,
      claim: build,
      file: path.join(logs, `${build.id}.log`),
      base: order.logOffset,
    });
    const done = runOrder(order, {
      ...this.#options,
      ...{ logs, uplink, interrupter },
      leaseMs: this.#leaseMs,
      setIdle: isIdle => {
        Object.assign(this.#running.get(build.id) ?? {}, { isIdle });
        this.#freed();
      },
    }).finally(() => {
      this.#running.delete(build.id);
      this.#freed();
    });
    this.#running.set(build.id, {
      attempt: build.attempt,
      ...{ interrupter, uplink, done },
      isIdle: false,
    });
    if (this.#isStopped) {
      // It was accepted in the meantime.
      this.#interrupt(build.id, { kind: 'shutdown' });
    }
  }

  /** Renews the leases of running builds every second, and stops builds that this agent no longer owns. */
  async #renewAll(): Promise<void> {
    const { link, logger } = this.#options;
    while (!this.#stopping.signal.aborted || this.#running.size > 0) {
      const before = performance.now();
      const held = [...this.#running].map(([id, { attempt }]) => ({
        id,
        attempt,
      }));
      try {
        const builds = await link.renew(
          held.map(({ id }) => id),
          // A server that does not respond must not delay the end of builds whose lease expires,
          // including those that begin in the meantime.
          held.length > 0 ? this.#timeLeft : this.#leaseMs,
        );
        this.#heldUntil = before + this.#leaseMs;
        for (const { id, attempt } of held) {
          const found = builds.find(
            mine => mine.id === id && mine.attempt === attempt,
          );
          if (!found) {
            this.#interrupt(id, { kind: 'lost' });
          } else if (found.stopRequestedBy !== null) {
            this.#interrupt(id, { kind: 'stopped', by: found.stopRequestedBy });
          }
        }
      } catch (error) {
        if (isDismissal(error)) {
          this.#interruptAll({ kind: 'lost' });
        }
        if (this.#running.size > 0) {
          logger.warn({ err: error }, 'Leases could not be renewed');
        }
      }
      if (performance.now() > this.#heldUntil) {
        this.#interruptAll({ kind: 'lost' });
      }
      await sleep(RENEW_MS);
    }
  }

  /** The time that a request has to renew the lease before it expires, in milliseconds; at least a second. */
  get #timeLeft(): number {
    return Math.ceil(Math.max(this.#heldUntil - performance.now(), RENEW_MS));
  }

  #interrupt(id: number, reason: Interruption): void {
    const running = this.#running.get(id);
    running?.interrupter.interrupt(reason);
    if (reason.kind === 'lost') {
      running?.uplink.giveUp();
    }
  }

  #interruptAll(reason: Interruption): void {
    [...this.#running.keys()].forEach(id => this.#interrupt(id, reason));
  }

  /** Retries until the server responds. */
  async #insist<T>(ask: () => Promise<T>): Promise<T> {
    const { logger } = this.#options;
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (isRefusal(error) || this.#stopping.signal.aborted) {
          throw error;
        }
        logger.warn({ err: error }, 'The build server is not responding');
        await sleep(RETRY_MS);
      }
    }
  }
}
