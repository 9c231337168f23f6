import { findFreePorts } from '@slipway/e2e/src/processes/findFreePorts.ts';
import { ServerProcess } from '@slipway/e2e/src/processes/ServerProcess.ts';

/**
 * Addresses of a portal that is never called. Needed because services in production reject
 * the development addresses.
 */
export const PORTAL_ADDRESSES = {
  APP_CONFIG_app_baseUrl: '"http://127.0.0.1:3000"',
  APP_CONFIG_backend_baseUrl: '"http://127.0.0.1:7007"',
};

/** A server under load. */
export interface RunningServer {
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts a server in production mode on a free port. Resolves once it responds.
 *
 * @param options.cwd - relative to the repository.
 * @param options.ready - path that responds with 2xx once the server is ready.
 */
export async function startServer(options: {
  command: [string, ...string[]];
  cwd: string;
  env(port: number): NodeJS.ProcessEnv;
  ready: string;
}): Promise<RunningServer> {
  const [port] = await findFreePorts(1);
  const server = new ServerProcess({
    command: options.command,
    cwd: options.cwd,
    env: {
      ...process.env,
      ...PORTAL_ADDRESSES,
      NODE_ENV: 'production',
      ...options.env(port),
    },
  });
  const url = `http://127.0.0.1:${port}`;
  await server.untilReady(`${url}${options.ready}`);
  return { url, stop: () => server.stop() };
}
