import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ContractPortal } from './ContractPortal';
import { Issuer } from './Issuer';
import { externalAccess } from './tokens';

/** A service behind the portal's proxy, which keeps the last token it received. */
interface ProxiedService {
  /** Its address, without a trailing slash. */
  readonly target: string;
  /** The last token received; empty if there was none. */
  readonly token: string;
  stop(): void;
}

/** A portal that trusts an issuer of tokens, and a service that has the name of a plugin. */
export interface RunningPortal {
  portal: ContractPortal;
  issuer: Issuer;
  proxied: ProxiedService;
  stop(): Promise<void>;
}

/** Starts a portal that several suites share. */
export async function startPortal(): Promise<RunningPortal> {
  const [issuer, proxied] = await Promise.all([
    Issuer.start(),
    startProxiedService(),
  ]);
  const portal = await ContractPortal.start({
    backend_auth_externalAccess: [...externalAccess, issuer.access],
    slipway_rateLimit_userPerMinute: 10_000,
    catalog_processingInterval: { seconds: 1 },
    proxy_endpoints: { '/feature-flags': { target: proxied.target } },
  });
  return {
    portal,
    issuer,
    proxied,
    async stop() {
      proxied.stop();
      await Promise.all([portal.stop(), issuer.stop()]);
    },
  };
}

async function startProxiedService(): Promise<ProxiedService> {
  let token = '';
  const server = createServer((req, res) => {
    token = req.headers.authorization!.slice('Bearer '.length);
    res.setHeader('content-type', 'application/json');
    res.end(JSON.stringify({ headers: Object.keys(req.headers) }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    target: `http://127.0.0.1:${port}`,
    get token() {
      return token;
    },
    stop() {
      server.close();
    },
  };
}
