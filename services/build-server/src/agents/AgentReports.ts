import { ConflictError } from '@slipway/service-kit';
import type { Artifacts } from '../artifacts/Artifacts.ts';
import type { Build, BuildOutcome, BuildProgress } from '../builds/Build.ts';
import type { Exchange } from '../execution/Exchange.ts';
import { exchangeOf, type ExchangeStores } from '../execution/exchangeOf.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BuildLogs } from '../logs/BuildLogs.ts';
import type { SecretMask } from '../secrets/SecretMask.ts';
import type { StepSecrets } from '../secrets/StepSecrets.ts';
import type { BuildStore } from '../storage/BuildStore.ts';
import { claimOf, type Held } from './Agent.ts';

/** Dependencies of {@link AgentReports}. */
export interface ReportOptions extends ExchangeStores {
  store: BuildStore;
  jobs: JobCatalog;
  logs: BuildLogs;
  artifacts: Artifacts;
  secrets: StepSecrets;
  /** Called when a build of a job has ended. */
  onFinished(job: string): Promise<void>;
}

/**
 * Receives what agents report about their builds, and serves the files that these builds need. Both
 * require that the agent owns the build; otherwise a ConflictError is thrown.
 */
export class AgentReports {
  readonly #options: ReportOptions;

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  /** Returns what an agent's build exchanges with people and other builds. */
  async exchangeOf(held: Held): Promise<Exchange> {
    const claim = claimOf(held);
    assertHeld(await this.#options.store.isHeld(claim));
    return exchangeOf(claim, this.#options);
  }

  async saveProgress(held: Held, progress: BuildProgress): Promise<void> {
    const { store } = this.#options;
    const mask = this.#maskOf(await store.findById(held.id));
    const told = mask ? masked(progress, mask) : progress;
    assertHeld(await store.saveProgress(claimOf(held), told));
  }

  /**
   * Writes a part of a log.
   *
   * @param offset - the offset at which it begins, in bytes.
   * @returns the offset at which the next part must begin.
   */
  async writeLog(held: Held, offset: number, bytes: Buffer): Promise<number> {
    const { store, logs } = this.#options;
    const mask = this.#maskOf(await store.findById(held.id));
    let end = 0;
    // The build cannot be taken away in the meantime, and writing the same part again is
    // idempotent.
    const isWritten = await store.whileHeld(claimOf(held), async () => {
      end = await logs.writeAt(held.id, offset, bytes, mask);
    });
    assertHeld(isWritten);
    return end;
  }

  async putArtifact(
    held: Held,
    name: string,
    content: AsyncIterable<Buffer>,
  ): Promise<void> {
    const { store, artifacts } = this.#options;
    // Checked again before the file is kept: an agent that was considered lost may still be
    // sending.
    const isHeld = () => store.isHeld(claimOf(held));
    assertHeld(
      (await isHeld()) &&
        (await artifacts.receive(held.id, name, { content, isHeld })),
    );
  }

  /** Ends a build; idempotent. */
  async finish(held: Held, outcome: BuildOutcome): Promise<void> {
    const { store, logs, onFinished } = this.#options;
    const claim = claimOf(held);
    const build = await store.findById(held.id);
    const mask = this.#maskOf(build);
    const told = mask ? masked(outcome, mask) : outcome;
    // The agent ends its log before it sends the artifacts, which may be refused.
    await store.whileHeld(claim, () => logs.conclude(held.id, told));
    if (await store.finish(claim, told)) {
      await (build && onFinished(build.job));
      return;
    }
    // The agent may have missed the first response.
    const ended = await store.findById(held.id);
    assertHeld(
      ended?.state === 'finished' &&
        ended.worker === claim.worker &&
        ended.attempt === claim.attempt,
    );
  }

  /**
   * Returns the mask for what an agent reports about a build; undefined if there is no such build.
   * Masking by agents is not trusted: their machines are not ours.
   */
  #maskOf(build: Build | undefined): SecretMask | undefined {
    if (!build) {
      return undefined;
    }
    const { jobs, secrets } = this.#options;
    const job = jobs.findOfBuild(build.job);
    // Without the file of a removed job, it is unknown which secrets its running build received.
    return job ? secrets.maskOf(job) : secrets.maskOfAll();
  }
}

/** @throws ConflictError if the agent no longer owns the build: it has to stop it. */
export function assertHeld(isHeld: boolean): void {
  if (!isHeld) {
    throw new ConflictError('The build no longer belongs to this agent');
  }
}

/** Fields whose values are fixed by the API, or name a file that was sent. */
const UNMASKED: ReadonlySet<string> = new Set([
  'result',
  'state',
  'outcome',
  'path',
]);

/** Masks secrets in all texts that an agent reports about a build. */
function masked<T>(value: T, mask: SecretMask): T {
  const hide = (part: unknown): unknown => {
    if (typeof part === 'string') {
      return mask.text(part);
    }
    if (Array.isArray(part)) {
      return part.map(hide);
    }
    return typeof part === 'object' && part !== null
      ? Object.fromEntries(
          Object.entries(part).map(([key, inner]) => [
            key,
            UNMASKED.has(key) ? inner : hide(inner),
          ]),
        )
      : part;
  };
  return hide(value) as T;
}
