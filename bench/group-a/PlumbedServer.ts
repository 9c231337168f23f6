import { fileURLToPath } from 'node:url';
import { findFreePorts } from '@slipway/e2e/src/processes/findFreePorts.ts';
import { ServerProcess } from '@slipway/e2e/src/processes/ServerProcess.ts';

const main = fileURLToPath(new URL('./server/main.ts', import.meta.url));

/** Higher than what a run sends, so that nothing is refused. */
const LIMIT = 1_000_000_000;

/** What stands between a request and the route. */
export interface Plumbing {
  name: string;
  /** False for Backstage's own. */
  ours: boolean;
  /** Address of the Redis that counts; absent: memory. */
  redis?: string;
}

/** The same back end behind one kind of plumbing. */
export class PlumbedServer {
  readonly plumbing: Plumbing;
  readonly origin: string;
  readonly #process: ServerProcess;

  private constructor(options: {
    plumbing: Plumbing;
    origin: string;
    process: ServerProcess;
  }) {
    this.plumbing = options.plumbing;
    this.origin = options.origin;
    this.#process = options.process;
  }

  static async start(plumbing: Plumbing): Promise<PlumbedServer> {
    const [port] = await findFreePorts(1);
    const origin = `http://127.0.0.1:${port}`;
    const server = new ServerProcess({
      command: [
        'node',
        '--require',
        '@backstage/cli/config/nodeTransform.cjs',
        main,
        '--config',
        'app-config.yaml',
      ],
      cwd: 'bench/group-a/server',
      env: {
        ...process.env,
        NODE_ENV: 'production',
        LOG_LEVEL: 'warn',
        APP_CONFIG_backend_baseUrl: JSON.stringify(origin),
        APP_CONFIG_backend_listen_port: String(port),
        APP_CONFIG_slipway_rateLimit_servicePerMinute: String(LIMIT),
        APP_CONFIG_slipway_rateLimit_anonymousPerMinute: String(LIMIT),
        ...(plumbing.ours && { SLIPWAY_PLUMBING: '1' }),
        ...(plumbing.redis && {
          APP_CONFIG_slipway_rateLimit_store: JSON.stringify('redis'),
          APP_CONFIG_slipway_rateLimit_redis: JSON.stringify(plumbing.redis),
        }),
      },
    });
    await server.untilReady(`${origin}/.backstage/health/v1/readiness`);
    return new PlumbedServer({ plumbing, origin, process: server });
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }
}
