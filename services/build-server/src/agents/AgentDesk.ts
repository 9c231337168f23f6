import { setTimeout as sleep } from 'node:timers/promises';
import { ConflictError, UnauthenticatedError } from '@slipway/service-kit';
import type { Artifacts } from '../artifacts/Artifacts.ts';
import {
  type BuildOutcome,
  type BuildProgress,
  type Claim,
  type HeldBuild,
  isStarted,
  type StartedBuild,
} from '../builds/Build.ts';
import type { ExecutorStatus } from '../execution/Executor.ts';
import type { CacheKey, Caches } from '../execution/Caches.ts';
import type { Decision, Gates } from '../execution/Gates.ts';
import type { OtherArtifacts } from '../execution/OtherArtifacts.ts';
import type { GitOptions } from '../execution/PlacedBuild.ts';
import { mayRun, neededLabels } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { Approval } from '../jobs/JobStep.ts';
import type { BuildLogs } from '../logs/BuildLogs.ts';
import type { StepSecrets } from '../secrets/StepSecrets.ts';
import type { AgentStore } from '../storage/AgentStore.ts';
import type { BuildStore } from '../storage/BuildStore.ts';
import {
  type Agent,
  isConnected,
  labelsWith,
  type Order,
  PROTOCOL,
  workerOf,
} from './Agent.ts';
import type { LostBuilds } from './LostBuilds.ts';

const INVITATION_MS = 15 * 60_000;
/** Other servers may queue builds without waking this one. */
const POLL_MS = 500;
/** An order not accepted by its agent within this time goes to another one. */
const ACCEPT_MS = 15_000;

/** Dependencies of the {@link AgentDesk}. */
export interface DeskOptions {
  agents: AgentStore;
  store: BuildStore;
  jobs: JobCatalog;
  logs: BuildLogs;
  artifacts: Artifacts;
  gates: Gates;
  caches: Caches;
  others: OtherArtifacts;
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

/** The build an agent's request refers to, and the session and attempt that claimed it. */
export interface Held {
  agent: Agent;
  session: string;
  id: number;
  attempt: number;
}

/**
 * Gives builds to agents and receives their reports: a write is accepted only while the
 * agent owns the build.
 */
export class AgentDesk {
  readonly #options: DeskOptions;
  readonly #waiting = new Set<() => void>();
  #wakes = 0;
  #isClosed = false;

  constructor(options: DeskOptions) {
    this.#options = options;
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
   * Returns the labels that a job needs, if neither this server nor a connected agent has
   * them; otherwise undefined.
   */
  async lackingFor(name: string): Promise<string[] | undefined> {
    const { agents, jobs, ownLabels, now } = this.#options;
    const job = jobs.find(name);
    if (
      !job ||
      neededLabels(job).length === 0 ||
      (ownLabels && mayRun(job, ownLabels))
    ) {
      return undefined;
    }
    const able = (await agents.list()).some(
      agent =>
        isConnected(agent, now()) &&
        mayRun(job, labelsWith(agent.labels, agent.executor?.kind)),
    );
    return able ? undefined : neededLabels(job);
  }

  /** Begins a session. Builds owned by an earlier session are lost, since the agent has restarted. */
  async begin(
    agent: Agent,
    session: {
      session: string;
      protocol: number;
      capacity: number;
      version: string;
      executor: ExecutorStatus;
    },
  ): Promise<void> {
    const { agents, store, lost, now } = this.#options;
    const { oldest, newest } = PROTOCOL;
    if (session.protocol < oldest || session.protocol > newest) {
      throw new ConflictError(
        `The agent speaks version ${session.protocol} of the protocol, this server ${oldest} to ${newest}`,
      );
    }
    await agents.begin(agent.id, { ...session, now: now() });
    const own = workerOf(agent.id, session.session);
    const before = workerOf(agent.id, '');
    for (const claim of await store.listRunning()) {
      if (claim.worker.startsWith(before) && claim.worker !== own) {
        await lost.end(claim, {
          reason: `The agent ${agent.name} was started anew`,
        });
      }
    }
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

  /** @returns false if the agent no longer owns the build: it must not start it. */
  async accept(held: Held): Promise<boolean> {
    const { store, leaseMs, now, onStarted } = this.#options;
    const at = now();
    const leaseUntil = at + leaseMs;
    const build = await store.accept(claimOf(held), { now: at, leaseUntil });
    if (build && isStarted(build)) {
      await onStarted(build);
    }
    return build !== undefined;
  }

  /** Records a heartbeat of the agent with the builds it runs. @returns those that it still owns. */
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

  /** Asks for a decision. @returns undefined while there is none. */
  ask(
    held: Held,
    gate: { step: string; approval: Approval },
  ): Promise<Decision | undefined> {
    return this.#options.gates.ask(claimOf(held), gate);
  }

  /** Reads and stores the files of an agent's build. */
  partsOf(held: Held) {
    const { caches, others } = this.#options;
    const claim = claimOf(held);
    return {
      fetchCache: (cache: CacheKey) => caches.fetch(claim, cache),
      saveCache: (cache: CacheKey, content: AsyncIterable<Buffer>) =>
        caches.save(claim, cache, content),
      listArtifacts: (job: string) => others.list(claim, job),
      openArtifact: (file: { job: string; number: number; path: string }) =>
        others.open(claim, file),
    };
  }

  isHeld(held: Held): Promise<boolean> {
    return this.#options.store.isHeld(claimOf(held));
  }

  saveProgress(held: Held, progress: BuildProgress): Promise<boolean> {
    return this.#options.store.saveProgress(claimOf(held), progress);
  }

  /**
   * Writes a part of a log.
   *
   * @param offset - the offset at which it begins, in bytes.
   * @returns the offset at which the next part must begin; undefined if the agent no
   * longer owns the build.
   */
  async writeLog(
    held: Held,
    offset: number,
    bytes: Buffer,
  ): Promise<number | undefined> {
    const { store, logs, jobs, secrets } = this.#options;
    const build = await store.findById(held.id);
    const job = build && jobs.findOfBuild(build.job);
    // Masking by the agent is not trusted: its machine is not ours.
    const mask = job && secrets.maskOf(job);
    let end: number | undefined;
    // The build cannot be taken away meanwhile, and writing the same part again is
    // idempotent.
    await store.whileHeld(claimOf(held), async () => {
      end = await logs.writeAt(held.id, offset, bytes, mask);
    });
    return end;
  }

  /** @returns false if the agent no longer owns the build. */
  async putArtifact(
    held: Held,
    name: string,
    content: AsyncIterable<Buffer>,
  ): Promise<boolean> {
    const { store, artifacts } = this.#options;
    return (
      (await store.isHeld(claimOf(held))) &&
      artifacts.receive(held.id, name, {
        content,
        // An agent that was considered lost may still be sending.
        assertHeld: () => store.isHeld(claimOf(held)),
      })
    );
  }

  /** @returns false if the agent no longer owns the build. */
  async finish(held: Held, outcome: BuildOutcome): Promise<boolean> {
    const { store, onEnded } = this.#options;
    const claim = claimOf(held);
    if (await store.finish(claim, await this.#masked(held.id, outcome))) {
      this.wake();
      const build = await store.findById(held.id);
      await (build && onEnded(build.job));
      return true;
    }
    // The agent may have missed the first response.
    const build = await store.findById(held.id);
    return (
      build?.state === 'finished' &&
      build.worker === claim.worker &&
      build.attempt === claim.attempt
    );
  }

  /** Masks secrets in the outcome reported by an agent. */
  async #masked(id: number, outcome: BuildOutcome): Promise<BuildOutcome> {
    const { store, jobs, secrets } = this.#options;
    const build = await store.findById(id);
    const job = build && jobs.findOfBuild(build.job);
    if (!job) {
      return outcome;
    }
    const mask = secrets.maskOf(job);
    const hide = <T extends string | null>(text: T) =>
      text === null ? text : (mask.text(text) as T);
    const { tests } = outcome;
    return {
      ...outcome,
      reason: hide(outcome.reason),
      steps: outcome.steps.map(step => ({
        ...step,
        message: hide(step.message),
      })),
      tests: tests && {
        ...tests,
        failures: tests.failures.map(failure => ({
          ...failure,
          message: hide(failure.message),
        })),
      },
    };
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
    const labels = labelsWith(agent.labels, agent.executor?.kind);
    const claimedAt = now();
    const builds = await store.claim({
      worker: workerOf(agent.id, session),
      jobs: jobs
        .enabled()
        .filter(job => mayRun(job, labels))
        .map(({ name, concurrent = false }) => ({ name, serial: !concurrent })),
      builtOn: agent.name,
      limit: free,
      now: claimedAt,
      leaseUntil: claimedAt + ACCEPT_MS,
    });
    return Promise.all(
      builds.filter(isStarted).map(build => this.#order(build)),
    );
  }

  async #order(build: StartedBuild): Promise<Order> {
    const { jobs, logs, secrets, git, limits, urlOf } = this.#options;
    const job = jobs.get(build.job);
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

function claimOf({ agent, session, id, attempt }: Held): Claim {
  return { id, attempt, worker: workerOf(agent.id, session) };
}
