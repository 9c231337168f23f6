import { fileURLToPath } from 'node:url';
import { ServerProcess } from '@slipway/e2e/src/processes/ServerProcess.ts';
import { findFreePorts } from '@slipway/e2e/src/processes/findFreePorts.ts';
import { BARE_OPTIONS, type BareOptions } from './BareOptions.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

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
      command: ['node', main],
      cwd: 'bench/space-metrics',
      env: {
        ...process.env,
        NODE_ENV: 'production',
        [BARE_OPTIONS]: JSON.stringify({ ...options, port }),
      },
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
