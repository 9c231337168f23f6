import type { Artifacts } from '../artifacts/Artifacts.ts';
import type { BuildOutcome, BuildProgress } from '../builds/Build.ts';
import {
  type Exchange,
  exchangeOf,
  type OwnExchange,
} from '../execution/Exchange.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BuildLogs } from '../logs/BuildLogs.ts';
import type { StepSecrets } from '../secrets/StepSecrets.ts';
import type { BuildStore } from '../storage/BuildStore.ts';
import { claimOf, type Held } from './Agent.ts';

/** Dependencies of {@link AgentReports}. */
export interface ReportOptions extends Exchange {
  store: BuildStore;
  jobs: JobCatalog;
  logs: BuildLogs;
  artifacts: Artifacts;
  secrets: StepSecrets;
  /** Called when a build of a job has ended. */
  onFinished(job: string): Promise<void>;
}

/**
 * Receives what agents report about their builds, and gives them the files: each only while the
 * agent owns the build.
 */
export class AgentReports {
  readonly #options: ReportOptions;

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  /** Returns what an agent's build exchanges with people and other builds. */
  exchangeOf(held: Held): OwnExchange {
    return exchangeOf(claimOf(held), this.#options);
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
    // The build cannot be taken away in the meantime, and writing the same part again is
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
    const { store, onFinished } = this.#options;
    const claim = claimOf(held);
    if (await store.finish(claim, await this.#masked(held.id, outcome))) {
      const build = await store.findById(held.id);
      await (build && onFinished(build.job));
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
        ...(step.faults && {
          faults: step.faults.map(fault => ({
            ...fault,
            message: hide(fault.message),
          })),
        }),
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
}
