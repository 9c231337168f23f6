import { fileURLToPath } from 'node:url';
import { ServerProcess } from '@slipway/e2e/src/processes/ServerProcess.ts';
import { findFreePorts } from '@slipway/e2e/src/processes/findFreePorts.ts';
import type { DatabaseSection } from '../BenchDatabase.ts';
import type { Organisation } from '../Organisation.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

/** Options of the baseline server, which gets them as a JSON argument. */
export interface BareOptions {
  port: number;
  /** Database for its rows, separate from the service's. */
  database: DatabaseSection;
  /** The organisation whose data its fake portal returns. */
  organisation: Organisation;
}

/** The baseline server. */
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

  /** Sets the response body of `GET /answer`. */
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
