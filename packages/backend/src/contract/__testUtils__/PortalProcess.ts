import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { GuardedProcess } from '@slipway/dev-runner/src/guard/GuardedProcess.ts';
import { repositoryRoot } from '@slipway/dev-runner/src/layout.ts';
import { backendProcess } from '@slipway/dev-runner/src/parts.ts';
import { waitUntilReady } from '@slipway/dev-runner/src/supervision/waitUntilReady.ts';

const READY_TIMEOUT_MS = 180_000;
const STOP_GRACE_MS = 15_000;
const SHOWN_LOG_CHARACTERS = 4_000;

/** The back end as the platform runs it, with all that it has logged. */
export class PortalProcess {
  #log = '';
  readonly #process: GuardedProcess;
  readonly #over = new AbortController();
  readonly #ended: Promise<void>;

  constructor(env: NodeJS.ProcessEnv) {
    this.#process = new GuardedProcess({
      command: backendProcess.command,
      cwd: path.join(repositoryRoot, backendProcess.cwd),
      env: { ...env, ...backendProcess.env },
      graceMs: STOP_GRACE_MS,
      onOutput: chunk => {
        this.#log += chunk;
      },
      onSpawn: () => {},
      onEnd: () => this.#over.abort(),
    });
    this.#ended = new Promise(resolve =>
      this.#over.signal.addEventListener('abort', () => resolve()),
    );
  }

  /** Lines of both streams, since the start, without colours. */
  get log(): string[] {
    return stripVTControlCharacters(this.#log).split('\n');
  }

  /** @throws Error with the end of the log when this address does not answer. */
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
      const end = this.#log.slice(-SHOWN_LOG_CHARACTERS);
      throw new Error(`${url} did not come up:\n${end}`);
    }
  }

  /** Lets it finish, and ends it when that takes too long. */
  async stop(): Promise<void> {
    this.#process.stop();
    await this.#ended;
  }
}
