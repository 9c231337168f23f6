import { fileURLToPath } from 'node:url';
import { ServerProcess } from '@slipway/e2e/src/processes/ServerProcess.ts';
import { findFreePorts } from '@slipway/e2e/src/processes/findFreePorts.ts';
import type { DatabaseSection } from '../BenchDatabase.ts';
import type { Organisation } from '../Organisation.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

/** What the bare server is started with, as JSON in its argument. */
export interface BareOptions {
  port: number;
  /** The database for its rows, apart from the service's own. */
  database: DatabaseSection;
  /** The organisation that its stand-in for the portal knows. */
  organisation: Organisation;
}

/** The server that is measured beside the service. */
export class BareProcess {
  readonly url: string;
  readonly #server: ServerProcess;

  private constructor(url: string, server: ServerProcess) {
    this.url = url;
    this.#server = server;
  }

  static async start(options: Omit<BareOptions, 'port'>): Promise<BareProcess> {
    const [port] = await findFreePorts(1);
    const server = new ServerProcess({
      command: ['node', main, JSON.stringify({ ...options, port })],
      cwd: 'bench/space-metrics',
      env: { ...process.env, NODE_ENV: 'production' },
    });
    const url = `http://127.0.0.1:${port}`;
    await server.untilReady(`${url}/api/catalog/entities/by-query`);
    return new BareProcess(url, server);
  }

  /** What `GET /answer` is to say from now on. */
  async answerWith(json: string): Promise<void> {
    await fetch(`${this.url}/answer`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: json,
    });
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}
