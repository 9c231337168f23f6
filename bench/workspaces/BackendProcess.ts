import path from 'node:path';
import { GuardedProcess } from '@slipway/dev-runner/src/guard/GuardedProcess.ts';
import { repositoryRoot } from '@slipway/dev-runner/src/layout.ts';
import { backendProcess } from '@slipway/dev-runner/src/parts.ts';
import { waitUntilReady } from '@slipway/dev-runner/src/supervision/waitUntilReady.ts';

const READY_TIMEOUT_MS = 90_000;
const STOP_GRACE_MS = 15_000;
const SHOWN_LOG_CHARACTERS = 4_000;

/** The portal's back end as the platform runs it, ending with this process whatever happens. */
export class BackendProcess {
  readonly #log: string[] = [];
  readonly #process: GuardedProcess;
  readonly #over = new AbortController();
  readonly #ended: Promise<void>;

  constructor(environment: NodeJS.ProcessEnv) {
    const { command, cwd, env } = backendProcess;
    this.#process = new GuardedProcess({
      command,
      cwd: path.join(repositoryRoot, cwd),
      env: { ...environment, ...env },
      graceMs: STOP_GRACE_MS,
      onOutput: chunk => this.#log.push(chunk),
      onSpawn: () => {},
      onEnd: () => this.#over.abort(),
    });
    this.#ended = new Promise(resolve =>
      this.#over.signal.addEventListener('abort', () => resolve()),
    );
  }

  /** @throws Error with the end of the log when the back end at this address does not come up. */
  async untilReady(api: string): Promise<void> {
    const ready = await waitUntilReady(
      `${api}/.backstage/health/v1/readiness`,
      AbortSignal.any([
        this.#over.signal,
        AbortSignal.timeout(READY_TIMEOUT_MS),
      ]),
    );
    if (!ready) {
      await this.stop();
      const log = this.#log.join('').slice(-SHOWN_LOG_CHARACTERS);
      throw new Error(`The back end did not come up:\n${log}`);
    }
  }

  /** Lets it stop its workspaces, and ends it when that takes too long. */
  async stop(): Promise<void> {
    this.#process.stop();
    await this.#ended;
  }
}
