import { ServerProcess } from '@slipway/e2e/src/processes/ServerProcess.ts';
import { findFreePorts } from '@slipway/e2e/src/processes/findFreePorts.ts';
import { PORTAL_ADDRESSES } from '../startServer.ts';
import type { DatabaseSection } from './BenchDatabase.ts';

/** Key of the hashes that identify people. */
export const HASH_KEY = 'bench-hash-key-Hk7vXr2LmZ9pTn4WcY6hBj3F';
const API_KEY = 'bench-api-key-Ik7vXr2LmZ9pTn4WcY6hBj3F';
/** A rate limit that is enforced but never reached. */
const PER_MINUTE = 100_000_000;
/** Start timeout: the first start after loading releases two years of cycles. */
const PATIENCE_MS = 900_000;

/** Headers of every request. */
export const requestHeaders = {
  'x-api-key': API_KEY,
  'content-type': 'application/json',
};

/** The service in production mode, on its own port. */
export class SpaceMetricsProcess {
  readonly url: string;
  readonly #server: ServerProcess;

  private constructor(url: string, server: ServerProcess) {
    this.url = url;
    this.#server = server;
  }

  /**
   * @param options.portalUrl - address of a fake portal.
   * @param options.minimumGroupSize - 5 in production.
   * @param options.cacheSeconds - 0 disables the cache; the default is 2.
   */
  static async start(options: {
    database: DatabaseSection;
    portalUrl: string;
    minimumGroupSize?: number;
    cacheSeconds?: number;
  }): Promise<SpaceMetricsProcess> {
    const { database, portalUrl, minimumGroupSize = 5, cacheSeconds } = options;
    const [port] = await findFreePorts(1);
    const section = {
      listen: { host: '127.0.0.1', port },
      database,
      portal: { baseUrl: portalUrl },
      portalToken: 'bench-portal-token-Pk7vXr2LmZ9pTn4WcY',
      auth: { apiKeys: [{ name: 'bench', key: API_KEY }] },
      privacy: { hashKey: HASH_KEY, minimumGroupSize },
      rateLimit: { perMinute: PER_MINUTE },
      limits: { handlerTimeout: PATIENCE_MS, requestTimeout: PATIENCE_MS },
      forges: { github: null, gitlab: null, gitea: null, forgejo: null },
      ...(cacheSeconds !== undefined && { cacheSeconds }),
    };
    const server = new ServerProcess({
      command: ['node', 'src/main.ts'],
      cwd: 'services/space-metrics',
      env: {
        ...process.env,
        ...PORTAL_ADDRESSES,
        NODE_ENV: 'production',
        APP_CONFIG_spaceMetrics: JSON.stringify(section),
      },
    });
    const url = `http://127.0.0.1:${port}`;
    await server.untilReady(`${url}/ready`);
    return new SpaceMetricsProcess(url, server);
  }

  /**
   * Sends a GET request.
   *
   * @returns the response body.
   * @throws Error if the status is not 2xx.
   */
  async get(path: string): Promise<string> {
    const response = await fetch(`${this.url}${path}`, {
      headers: requestHeaders,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`${path} was answered ${response.status}: ${text}`);
    }
    return text;
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}
