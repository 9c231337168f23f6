import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Order, workerOf } from '../agents/Agent.ts';
import { Artifacts } from '../artifacts/Artifacts.ts';
import type { BuildOutcome } from '../builds/Build.ts';
import { Interrupter, type Interruption } from '../execution/commands.ts';
import type { Executor } from '../execution/Executor.ts';
import type { ProbeImages } from '../execution/probeImages.ts';
import { runBuild } from '../execution/runBuild.ts';
import type { WorkerLogger } from '../execution/Worker.ts';
import { BuildLogs } from '../logs/BuildLogs.ts';
import { StepSecrets } from '../secrets/StepSecrets.ts';
import { LogUplink } from './LogUplink.ts';
import { type AgentClaim, isRefusal, type ServerLink } from './ServerLink.ts';

const WAIT_MS = 15_000;
const RETRY_MS = 1_000;
const RENEW_MS = 1_000;

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
  /** Tests what runs jobs with a container; by default nothing does. */
  probeImages?: ProbeImages;
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
  #freed = () => {};

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /**
   * Runs until {@link stop}, or until the agent is removed.
   *
   * @throws RefusedError if the server does not know the agent, or does not support its
   * version.
   */
  async run(): Promise<void> {
    const { id, link, executor, capacity, version, logger } = this.#options;
    const own = workerOf(id, link.session);
    const others = workerOf(id, '');
    // The server may requeue builds of an earlier start as soon as this one begins its
    // session.
    await executor.sweep(
      async worker => worker.startsWith(others) && worker !== own,
    );
    await executor.tidy(async ids => ids);
    const containers = (await this.#options.probeImages?.()) ?? null;
    const status = { ...executor.status, containers };
    const { name, leaseMs } = await this.#insist(() =>
      link.begin({ capacity, version, executor: status }),
    );
    this.#leaseMs = leaseMs;
    logger.info(`The agent ${name} waits for builds`);
    const renewing = this.#renewAll();
    try {
      await this.#fetchAll();
    } finally {
      this.#stopping.abort();
      await Promise.all([...this.#running.values()].map(({ done }) => done));
      await renewing;
    }
  }

  /** Accepts no more builds; {@link run} returns once the running ones have ended. */
  drain(): void {
    this.#stopping.abort();
  }

  /** Ends all builds as well. */
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
          signal.addEventListener('abort', () => resolve(), { once: true });
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
        if (isRefusal(error)) {
          this.#interruptAll({ kind: 'lost' });
          throw error;
        }
        logger.warn({ err: error }, 'The build server does not answer');
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Starts a build once the server has confirmed that this agent still owns it. */
  async #begin(order: Order): Promise<void> {
    const { link, logger } = this.#options;
    const { build } = order;
    // An earlier attempt, since taken away, may still be ending.
    await this.#running.get(build.id)?.done;
    const before = performance.now();
    try {
      await link.accept(build);
    } catch (error) {
      logger.warn({ err: error, build: build.id }, 'A build was not begun');
      return;
    }
    if (this.#running.size === 0) {
      this.#heldUntil = before + this.#leaseMs;
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
    const done = this.#runOrder(order, { logs, uplink, interrupter }).finally(
      () => {
        this.#running.delete(build.id);
        this.#freed();
      },
    );
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

  async #runOrder(
    order: Order,
    {
      logs,
      uplink,
      interrupter,
    }: {
      logs: string;
      uplink: LogUplink;
      interrupter: Interrupter;
    },
  ): Promise<void> {
    const { link, executor, directory, caFile, logger } = this.#options;
    const { environment } = this.#options;
    const { build, job, secrets, git, limits } = order;
    const artifacts = new Artifacts({
      directory: path.join(directory, 'artifacts'),
      maxBytes: limits.artifactBytes,
    });
    const buildLogs = new BuildLogs({
      directory: logs,
      maxBytes: limits.logBytes,
      onWritten: () => uplink.written(),
    });
    const stepSecrets = new StepSecrets(secrets);
    let unsent = Promise.resolve();
    await runBuild(
      build,
      {
        signal: interrupter.signal,
        killSignal: interrupter.killSignal,
        isShuttingDown: () => false,
        setIdle: isIdle => {
          Object.assign(this.#running.get(build.id) ?? {}, { isIdle });
          this.#freed();
        },
      },
      {
        worker: workerOf(this.#options.id, link.session),
        store: {
          async saveProgress(_claim, progress) {
            // Steps do not wait for the server; the final report is complete.
            const body = structuredClone(progress);
            unsent = unsent
              .then(() => link.progress(build, body))
              .catch(() => undefined);
            return true;
          },
          finish: async (_claim, { finishedAt, ...outcome }) => {
            const { reason } = interrupter.killSignal;
            if ((reason as Interruption | undefined)?.kind === 'lost') {
              // The server decides whether it runs again.
              return false;
            }
            await uplink.end();
            await unsent;
            await this.#report(build, outcome);
            return true;
          },
        },
        gates: { ask: (_claim, gate) => link.ask(build, gate) },
        caches: {
          fetch: (_claim, cache) => link.fetchCache(build, cache),
          save: (_claim, cache, content) =>
            link.saveCache(build, cache, content),
        },
        others: {
          list: (_claim, name) => link.listArtifacts(build, name),
          open: (_claim, file) => link.openArtifact(build, file),
        },
        jobs: { get: () => job },
        executor,
        logs: buildLogs,
        secrets: stepSecrets,
        git: { ...git, caFile },
        environment,
        artifacts,
        rules: {
          secrets: { has: () => true },
          stepSecrets,
          isProduction: false,
        },
        urlOf: () => order.url,
        leaseMs: this.#leaseMs,
        now: Date.now,
        logger,
      },
    );
    uplink.giveUp();
    await buildLogs.remove(build.id);
    await artifacts.remove(build.id);
  }

  /** Sends the artifacts of a build, then its outcome. The server itself ends builds that were taken away. */
  async #report(
    claim: AgentClaim,
    outcome: Omit<BuildOutcome, 'finishedAt'>,
  ): Promise<void> {
    const { link, directory } = this.#options;
    const folder = path.join(directory, 'artifacts', String(claim.id));
    let told = outcome;
    try {
      for (const { path: name } of outcome.artifacts ?? []) {
        await link.artifact(claim, name, path.join(folder, name));
      }
    } catch (error) {
      if (!isRefusal(error)) {
        throw error;
      }
      const reason = `An artifact was refused: ${error.message}`;
      told = { ...outcome, result: 'FAILURE', reason, artifacts: [] };
    }
    await link.finish(claim, told).catch((error: unknown) => {
      if (!isRefusal(error)) {
        throw error;
      }
    });
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
        const { builds } = await link.renew(held.map(({ id }) => id));
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
        if (isRefusal(error)) {
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
        logger.warn({ err: error }, 'The build server does not answer');
        await sleep(RETRY_MS);
      }
    }
  }
}
