import path from 'node:path';
import { GuardedProcess } from '@slipway/dev-runner/src/guard/GuardedProcess.ts';
import { repositoryRoot } from '@slipway/dev-runner/src/layout.ts';
import { waitUntilReady } from '@slipway/dev-runner/src/supervision/PartSupervisor.ts';
import { patient } from '@slipway/dev-runner/src/patience.ts';

const READY_TIMEOUT_MS = patient(180_000);
const STOP_GRACE_MS = 15_000;
const SHOWN_LOG_CHARACTERS = 4_000;

/** Runs a server of the platform, which is guaranteed to end with this process. */
export class ServerProcess {
  /** Only the end of the log: a server under load logs a lot. */
  #log = '';
  readonly #process: GuardedProcess;
  readonly #over = new AbortController();
  readonly #ended: Promise<void>;
  #pid: number | undefined;

  /**
   * @param options.cwd - relative to the repository.
   * @param options.onOutput - receives the complete output.
   */
  constructor(options: {
    command: readonly [string, ...string[]];
    cwd: string;
    env: NodeJS.ProcessEnv;
    onOutput?(chunk: string): void;
  }) {
    const { command, cwd, env, onOutput } = options;
    this.#process = new GuardedProcess({
      command,
      cwd: path.join(repositoryRoot, cwd),
      env,
      graceMs: STOP_GRACE_MS,
      onOutput: chunk => {
        this.#log = (this.#log + chunk).slice(-SHOWN_LOG_CHARACTERS);
        onOutput?.(chunk);
      },
      onSpawn: pid => {
        this.#pid = pid;
      },
      onEnd: () => this.#over.abort(),
    });
    this.#ended = new Promise(resolve =>
      this.#over.signal.addEventListener('abort', () => resolve()),
    );
  }

  /** Returns the process id; undefined if the process could not be started. */
  get pid(): number | undefined {
    return this.#pid;
  }

  /**
   * Waits until the address responds.
   *
   * @throws Error with the end of the log if it does not.
   */
  async untilReady(url: string): Promise<void> {
    const ready = await waitUntilReady(
      url,
      AbortSignal.any([
        this.#over.signal,
        AbortSignal.timeout(READY_TIMEOUT_MS),
      ]),
    );
    if (!ready) {
      await this.stop();
      throw new Error(`${url} did not come up:\n${this.#log}`);
    }
  }

  /** Stops it gracefully, or kills it if that takes too long. */
  async stop(): Promise<void> {
    this.#process.stop();
    await this.#ended;
  }
}
