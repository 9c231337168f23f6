import { setTimeout as sleep } from 'node:timers/promises';
import { ConflictError, UnauthenticatedError } from '@slipway/service-kit';
import {
  type HeldBuild,
  isStarted,
  type StartedBuild,
} from '../builds/Build.ts';
import type { ExecutorsStatus } from '../execution/Executor.ts';
import type { GitOptions } from '../execution/PlacedBuild.ts';
import { mayRun, neededLabels } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BuildLogs } from '../logs/BuildLogs.ts';
import type { StepSecrets } from '../secrets/StepSecrets.ts';
import type { AgentStore } from '../storage/AgentStore.ts';
import type { BuildStore } from '../storage/BuildStore.ts';
import {
  type Agent,
  claimOf,
  type Held,
  isConnected,
  labelsOf,
  type Order,
  PROTOCOL,
  workerOf,
} from './Agent.ts';
import {
  AgentReports,
  assertHeld,
  type ReportOptions,
} from './AgentReports.ts';
import type { LostBuilds } from './LostBuilds.ts';

const INVITATION_MS = 15 * 60_000;
/** Other servers may queue builds without waking this one. */
const POLL_MS = 500;
/** An order not accepted by its agent within this time goes to another one. */
const ACCEPT_MS = 15_000;

/** Dependencies of the {@link AgentDesk}. */
export interface DeskOptions extends Omit<ReportOptions, 'onFinished'> {
  agents: AgentStore;
  store: BuildStore;
  jobs: JobCatalog;
  logs: BuildLogs;
  secrets: StepSecrets;
  git: GitOptions;
  lost: LostBuilds;
  limits: Order['limits'];
  /** The labels of this process; undefined if it runs no builds. */
  ownLabels: ReadonlySet<string> | undefined;
  leaseMs: number;
  urlOf(build: StartedBuild): string;
  /** Called when a build starts. */
  onStarted(build: StartedBuild): Promise<void>;
  /** Called when a build of a job has ended. */
  onEnded(job: string): Promise<void>;
  now: () => number;
}

/** Assigns builds to agents. */
export class AgentDesk {
  readonly reports: AgentReports;
  readonly #options: DeskOptions;
  readonly #waiting = new Set<() => void>();
  #wakes = 0;
  #isClosed = false;

  constructor(options: DeskOptions) {
    this.#options = options;
    this.reports = new AgentReports({
      ...options,
      onFinished: job => {
        this.wake();
        return options.onEnded(job);
      },
    });
  }

  invite(labels: readonly string[], by: string): Promise<string> {
    const now = this.#options.now();
    const expiresAt = now + INVITATION_MS;
    return this.#options.agents.invite({ labels, by, now, expiresAt });
  }

  /** @throws UnauthenticatedError for a used or expired token. */
  async enrol(request: {
    token: string;
    name: string;
    capacity: number;
  }): Promise<{ agent: Agent; token: string }> {
    const { agents, now } = this.#options;
    const enrolled = await agents.enrol({ ...request, now: now() });
    if (!enrolled) {
      throw new UnauthenticatedError(
        'The enrolment token is not valid, was used or has expired',
      );
    }
    return enrolled;
  }

  /**
   * Returns why a job that needs labels waits, if neither this server nor a connected agent with
   * them accepts builds; otherwise undefined.
   */
  async lackingFor(name: string): Promise<string | undefined> {
    const { agents, jobs, ownLabels, now } = this.#options;
    const job = jobs.find(name);
    if (
      !job ||
      neededLabels(job).length === 0 ||
      (ownLabels && mayRun(job, ownLabels))
    ) {
      return undefined;
    }
    const able = (await agents.list()).filter(
      agent => isConnected(agent, now()) && mayRun(job, labelsOf(agent)),
    );
    const labels = neededLabels(job).join(', ');
    if (able.length === 0) {
      return `Nothing that is connected has the labels ${labels}`;
    }
    return able.some(({ state }) => state === 'active')
      ? undefined
      : `The agents with the labels ${labels} are draining`;
  }

  /** Begins a session. Builds owned by an earlier session are lost, since the agent has restarted. */
  async begin(
    agent: Agent,
    session: {
      session: string;
      protocol: number;
      capacity: number;
      version: string;
      executor: ExecutorsStatus;
    },
  ): Promise<void> {
    const { agents, lost, now } = this.#options;
    const { oldest, newest } = PROTOCOL;
    if (session.protocol < oldest || session.protocol > newest) {
      throw new ConflictError(
        `The agent uses version ${session.protocol} of the protocol; this server supports ${oldest} to ${newest}`,
      );
    }
    await agents.begin(agent.id, { ...session, now: now() });
    await lost.endEarlier(agent, session.session);
  }

  /** Waits for builds for an agent and assigns them; returns an empty list on timeout. */
  async take(
    agent: Agent,
    request: { session: string; free: number; waitMs: number },
    signal: AbortSignal,
  ): Promise<Order[]> {
    const { now } = this.#options;
    const until = now() + request.waitMs;
    for (;;) {
      const wakes = this.#wakes;
      const current = await this.#assertCurrent(agent, request.session);
      const orders =
        current.state === 'active' ? await this.#claim(current, request) : [];
      const leftMs = until - now();
      if (
        orders.length > 0 ||
        leftMs <= 0 ||
        this.#isClosed ||
        signal.aborted
      ) {
        return orders;
      }
      await this.#wait(Math.min(POLL_MS, leftMs), wakes, signal);
    }
  }

  /** Looks for work for waiting agents; call it after a trigger. */
  wake(): void {
    this.#wakes += 1;
    this.#waiting.forEach(wake => wake());
  }

  /** Ends all waiting requests, for shutdown. */
  close(): void {
    this.#isClosed = true;
    this.wake();
  }

  /** @throws ConflictError if the agent no longer owns the build: it must not start it. */
  async accept(held: Held): Promise<void> {
    const { store, lost, artifacts, leaseMs, onStarted } = this.#options;
    const claim = claimOf(held);
    const now = this.#options.now();
    const build = await store.accept(claim, { now, leaseUntil: now + leaseMs });
    await (build ? undefined : lost.endStopped(claim));
    assertHeld(build !== undefined);
    if (build && isStarted(build)) {
      // Artifacts left by an earlier attempt would count towards the limit.
      await artifacts.remove(build.id);
      await onStarted(build);
    }
  }

  /**
   * Records a heartbeat of the agent with the builds it runs.
   *
   * @returns the builds that it still owns.
   */
  async renew(
    agent: Agent,
    request: { session: string; builds: readonly number[] },
  ): Promise<{ builds: HeldBuild[]; state: Agent['state'] }> {
    const { agents, store, leaseMs, now } = this.#options;
    const current = await this.#assertCurrent(agent, request.session);
    await agents.seen(agent.id, now());
    const builds = await store.renew({
      worker: workerOf(agent.id, request.session),
      leaseUntil: now() + leaseMs,
      only: request.builds,
    });
    return { builds, state: current.state };
  }

  async #assertCurrent(agent: Agent, session: string): Promise<Agent> {
    const current = await this.#options.agents.find(agent.id);
    if (!current) {
      throw new UnauthenticatedError('The agent was removed');
    }
    if (current.session !== session) {
      throw new ConflictError('Another program runs as this agent');
    }
    return current;
  }

  async #claim(
    agent: Agent,
    { session, free }: { session: string; free: number },
  ): Promise<Order[]> {
    const { store, jobs, now } = this.#options;
    const labels = labelsOf(agent);
    const claimedAt = now();
    const worker = workerOf(agent.id, session);
    const builds = await store.claim({
      worker,
      jobs: jobs
        .enabled()
        .filter(job => mayRun(job, labels))
        .map(({ name, concurrent = false }) => ({ name, serial: !concurrent })),
      builtOn: agent.name,
      limit: free,
      now: claimedAt,
      leaseUntil: claimedAt + ACCEPT_MS,
    });
    const orders = await Promise.all(
      builds.filter(isStarted).map(build => this.#order(build, worker)),
    );
    return orders.filter(order => order !== undefined);
  }

  /**
   * Creates the order for a build.
   *
   * @returns undefined if its job has been removed; the build is ended in that case.
   */
  async #order(
    build: StartedBuild,
    worker: string,
  ): Promise<Order | undefined> {
    const { jobs, logs, secrets, git, limits, lost, urlOf } = this.#options;
    const job = jobs.find(build.job);
    if (!job) {
      await lost.endRemoved({ ...build, worker });
      return undefined;
    }
    return {
      build,
      job,
      secrets: secrets.forBuild(job, build),
      git: { protocols: git.protocols },
      url: urlOf(build),
      logOffset: await logs.size(build.id),
      limits,
    };
  }

  /** @param seen - the number of {@link wake} calls when work was last looked for. */
  async #wait(forMs: number, seen: number, signal: AbortSignal): Promise<void> {
    if (this.#wakes !== seen) {
      return;
    }
    const woken = new AbortController();
    const wake = () => woken.abort();
    this.#waiting.add(wake);
    const either = AbortSignal.any([signal, woken.signal]);
    await sleep(forMs, undefined, { signal: either }).catch(() => undefined);
    this.#waiting.delete(wake);
  }
}
