import type { AddressInfo } from 'node:net';
import type { CommonConfig } from '../config/CommonConfig.ts';
import type { ServiceApp } from '../http/ServiceApp.ts';

/**
 * Listens, then starts what runs beside requests.
 *
 * @returns the address; the real port where the configuration has 0.
 */
export async function listen(
  app: ServiceApp,
  options: {
    title: string;
    config: CommonConfig['listen'];
    startWork: () => Promise<void>;
  },
): Promise<string> {
  const { host, port } = options.config;
  await app.listen({
    host,
    port,
    listenTextResolver: address => `${options.title} listens on ${address}`,
  });
  await options.startWork();
  const address = app.server.address() as AddressInfo;
  const shown = host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${address.port}`;
}
