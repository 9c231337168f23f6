import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repositoryRoot } from '@slipway/dev-runner/src/layout.ts';
import { RunRecords } from '@slipway/dev-runner/src/supervision/RunRecords.ts';
import {
  findFreeAddresses,
  portalEnvironment,
} from '@slipway/e2e/src/portalEnvironment.ts';
import { treeBytes } from '../processUse.ts';

const START_TIMEOUT_MS = 300_000;
const POLL_MS = 50;

/** The platform as started by `./slipway dev`, with its own ports and state. */
export class DevPlatform {
  /** The portal's address in a browser, without a trailing slash. */
  readonly url: string;
  readonly #runner: ChildProcess;
  readonly #stateDirectory: string;
  readonly #startedAt = performance.now();
  #output = '';

  private constructor(
    url: string,
    stateDirectory: string,
    env: NodeJS.ProcessEnv,
  ) {
    this.url = url;
    this.#stateDirectory = stateDirectory;
    this.#runner = spawn(
      process.execPath,
      [path.join(repositoryRoot, 'packages/dev-runner/src/dev.ts')],
      { cwd: repositoryRoot, env, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    this.#runner.stdout?.setEncoding('utf8').on('data', text => {
      this.#output += text;
    });
  }

  /** @param stateDirectory - absolute path, kept between starts. */
  static async start(stateDirectory: string): Promise<DevPlatform> {
    const addresses = await findFreeAddresses();
    const env = portalEnvironment({
      addresses,
      stateDirectory,
      caFile: '',
      configuration: {
        catalog_locations: [
          {
            type: 'file',
            target: '../../catalog-info.yaml',
            rules: [{ allow: ['User', 'Group'] }],
          },
        ],
      },
    });
    return new DevPlatform(addresses.portal, stateDirectory, {
      ...env,
      SLIPWAY_STATE_DIRECTORY: stateDirectory,
    });
  }

  /**
   * Waits until every part is ready; resolves to the milliseconds since the start.
   *
   * @throws Error with the platform's output if it exits early or takes too long.
   */
  async untilReady(): Promise<number> {
    const deadline = this.#startedAt + START_TIMEOUT_MS;
    while (!this.#output.includes('Slipway is ready')) {
      if (this.#runner.exitCode !== null || performance.now() > deadline) {
        throw new Error(`The platform did not start:\n${this.#output}`);
      }
      await sleep(POLL_MS);
    }
    return performance.now() - this.#startedAt;
  }

  /**
   * Returns the memory of each part in bytes. The last entry is the rest of the total: the
   * runner and its guards.
   */
  memory(): Map<string, number> {
    const memory = new Map(
      new RunRecords(this.#stateDirectory)
        .recordedParts()
        .map(({ part, process: { pid } }) => [part, treeBytes(pid)]),
    );
    const ofParts = [...memory.values()].reduce((sum, one) => sum + one, 0);
    memory.set(
      'runner, guards',
      treeBytes(this.#runner.pid ?? process.pid) - ofParts,
    );
    return memory;
  }

  async stop(): Promise<void> {
    if (this.#runner.exitCode === null) {
      const ended = once(this.#runner, 'exit');
      this.#runner.kill();
      await ended;
    }
  }
}
