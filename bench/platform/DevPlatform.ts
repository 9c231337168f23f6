import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repositoryRoot } from '@slipway/dev-runner/src/layout.ts';
import { RunRecords } from '@slipway/dev-runner/src/supervision/RunRecords.ts';
import {
  findFreeAddresses,
  portalEnvironment,
} from '@slipway/e2e/src/portalEnvironment.ts';

const START_TIMEOUT_MS = 300_000;
const POLL_MS = 50;

/** What `./slipway dev` runs, on ports and state of its own. */
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

  /** @param stateDirectory - absolute path, kept from one start to the next. */
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
   * Milliseconds from the start until every part is ready.
   *
   * @throws Error with what was printed, where it ends before or takes too long.
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

  /** Bytes by part, the runner with its guards last, which adds up to all. */
  memory(): Map<string, number> {
    const memory = new Map(
      new RunRecords(this.#stateDirectory)
        .recordedParts()
        .map(({ part, process: { pid } }) => [part, readMemory(pid)]),
    );
    const ofParts = [...memory.values()].reduce((sum, one) => sum + one, 0);
    memory.set(
      'runner, guards',
      readMemory(this.#runner.pid ?? process.pid) - ofParts,
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

/**
 * Bytes that a process and all that it started take: its proportional share of what it has
 * in common with others, so that the shares of all processes add up (proc(5), smaps_rollup).
 */
function readMemory(pid: number): number {
  const children = childrenByParent();
  const bytesUnder = (parent: number): number =>
    shareOf(parent) +
    (children.get(parent) ?? []).reduce(
      (sum, child) => sum + bytesUnder(child),
      0,
    );
  return bytesUnder(pid);
}

function childrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    const stat = read(`/proc/${entry}/stat`);
    // The name before it is in parentheses and may hold spaces.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  return children;
}

function shareOf(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`));
  return Number(kilobytes?.[1] ?? 0) * 1_024;
}

/** Processes end while they are looked at. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
