import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { request, type RequestOptions } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { MarkedProcess } from '@slipway/e2e/src/workspaceProcesses.ts';
import { findFreePorts } from '@slipway/e2e/src/processes/findFreePorts.ts';

const POLL_MS = 25;
const START_TIMEOUT_MS = 60_000;

/** Folder of the editor's settings within a workspace. Copied, because they affect what it loads. */
const SETTINGS = 'user-data/User';

const run = promisify(execFile);

/** An editor that is not managed by the platform. */
export interface HandStarted {
  /** Only set if the editor was started on a port. */
  url?: string;
  end(): void;
}

/**
 * Does by hand what the platform does for a workspace: clones the repository, starts the
 * editor, and waits for its health route. Uses the platform's own command line with other
 * directories.
 */
export class HandStarter {
  readonly #directory: string;
  readonly #template: { command: string[]; root: string };
  readonly #settings: string;
  readonly #repository: string;
  readonly #caFile: string;
  readonly #running = new Set<number>();
  #count = 0;

  constructor(options: {
    directory: string;
    /** An editor run by the platform, and the directory of its workspace. */
    editor: MarkedProcess;
    root: string;
    repository: string;
    caFile: string;
  }) {
    this.#directory = options.directory;
    this.#template = { command: options.editor.command, root: options.root };
    this.#settings = path.join(options.directory, 'hand-settings');
    // Copied, because the workspace itself will be deleted.
    cpSync(path.join(options.root, SETTINGS), this.#settings, {
      recursive: true,
    });
    this.#repository = options.repository;
    this.#caFile = options.caFile;
    process.once('exit', () => this.endAll());
  }

  /** Clones and starts an editor. @throws Error if it does not become ready in time. */
  async start(options: { onPort?: boolean } = {}): Promise<HandStarted> {
    this.#count += 1;
    const root = path.join(this.#directory, `hand-${this.#count}`);
    for (const folder of ['home', 'projects', 'user-data', 'extensions']) {
      mkdirSync(path.join(root, folder), { recursive: true });
    }
    cpSync(this.#settings, path.join(root, SETTINGS), { recursive: true });
    await this.#clone(path.join(root, 'projects', 'shop'));
    const socket = path.join(this.#directory, `hand-${this.#count}.sock`);
    const [port] = options.onPort ? await findFreePorts(1) : [];
    const pid = this.#spawn({ root, socket, port });
    await untilHealthy(
      port ? { host: '127.0.0.1', port } : { socketPath: socket },
    );
    return {
      url: port ? `http://127.0.0.1:${port}/` : undefined,
      end: () => this.#end(pid),
    };
  }

  endAll(): void {
    this.#running.forEach(pid => this.#end(pid));
  }

  async #clone(folder: string): Promise<void> {
    await run('git', ['clone', '--quiet', this.#repository, folder], {
      env: { ...process.env, GIT_SSL_CAINFO: this.#caFile },
    });
  }

  #spawn(options: { root: string; socket: string; port?: number }): number {
    const { root, socket, port } = options;
    const command = this.#template.command.map((part, index, all) => {
      if (all[index - 1] === '--socket') {
        return socket;
      }
      return part.replace(this.#template.root, root);
    });
    if (port) {
      command.splice(command.indexOf('--socket'), 2);
      command.splice(command.indexOf('--socket-mode'), 2);
      command.push('--bind-addr', `127.0.0.1:${port}`);
    }
    const child = spawn(command[0], command.slice(1), {
      cwd: path.join(root, 'projects', 'shop'),
      env: { PATH: process.env.PATH, HOME: path.join(root, 'home') },
      detached: true,
      stdio: 'ignore',
    });
    if (child.pid === undefined) {
      throw new Error(`${command[0]} could not be started`);
    }
    this.#running.add(child.pid);
    return child.pid;
  }

  #end(pid: number): void {
    this.#running.delete(pid);
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // The process has already ended.
    }
  }
}

async function untilHealthy(address: RequestOptions): Promise<void> {
  const end = Date.now() + START_TIMEOUT_MS;
  while (!(await isHealthy(address))) {
    if (Date.now() > end) {
      throw new Error('An editor started by hand did not answer');
    }
    await sleep(POLL_MS);
  }
}

function isHealthy(address: RequestOptions): Promise<boolean> {
  return new Promise(resolve => {
    request({ ...address, path: '/healthz' }, response => {
      response.resume();
      resolve(response.statusCode === 200);
    })
      .on('error', () => resolve(false))
      .end();
  });
}
