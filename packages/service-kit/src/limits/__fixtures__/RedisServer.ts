import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A real Redis for tests, run with the machine's `redis-server`. */
export class RedisServer {
  readonly url: string;
  #process: ChildProcess | undefined;
  readonly #port: number;

  private constructor(port: number) {
    this.#port = port;
    this.url = `redis://127.0.0.1:${port}`;
  }

  /** Checks whether `redis-server` is installed; logs a message if it is not. */
  static isInstalled(): boolean {
    try {
      execFileSync('redis-server', ['--version']);
      return true;
    } catch {
      process.stderr.write(
        'SKIPPED: redis-server is not installed, limits across replicas are not tested\n',
      );
      return false;
    }
  }

  static async start(): Promise<RedisServer> {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    const server = new RedisServer(port);
    await server.resume();
    return server;
  }

  /** Starts the server, or restarts it, without data and at the same address. */
  async resume(): Promise<void> {
    const child = spawn(
      'redis-server',
      ['--port', String(this.#port), '--bind', '127.0.0.1', '--save', ''],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    this.#process = child;
    for await (const chunk of child.stdout!) {
      if (String(chunk).includes('Ready to accept connections')) {
        break;
      }
    }
  }

  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child && child.exitCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
}
