import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { findFreePorts } from './findFreePorts.ts';

/** A real, empty Redis for tests, run with the machine's `redis-server`. */
export class RedisServer {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(options: { url: string; process: ChildProcess }) {
    this.url = options.url;
    this.#process = options.process;
  }

  /** Checks whether `redis-server` is installed; logs a message if it is not. */
  static isInstalled(): boolean {
    const isInstalled =
      spawnSync('redis-server', ['--version']).error === undefined;
    if (!isInstalled) {
      process.stderr.write(
        'SKIPPED: there is no redis-server, limits across replicas are not tested\n',
      );
    }
    return isInstalled;
  }

  static async start(): Promise<RedisServer> {
    const [port] = await findFreePorts(1);
    const child = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--save', ''],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    for await (const chunk of child.stdout) {
      if (String(chunk).includes('Ready to accept connections')) {
        break;
      }
    }
    return new RedisServer({
      url: `redis://127.0.0.1:${port}`,
      process: child,
    });
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null && !this.#process.killed) {
      const exit = once(this.#process, 'exit');
      this.#process.kill('SIGKILL');
      await exit;
    }
  }
}
