import { createServer, get, RequestListener, Server } from 'node:http';
import { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { IdeAddresses } from './ideRoutes';
import { IdeProxy } from './IdeProxy';

const TIMEOUTS = { ide: 1_000, application: 60_000 };
const LATE_MS = 2_000;

describe('IdeProxy', () => {
  const servers: Server[] = [];

  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
  });

  async function listen(listener: RequestListener): Promise<number> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  /** Returns the address of a proxy for an IDE, or for an application on a port of its workspace. */
  async function proxyTo(
    upstream: RequestListener,
    port: number | null,
  ): Promise<string> {
    const target = {
      host: '127.0.0.1',
      port: await listen(upstream),
      protocol: 'http:' as const,
    };
    const proxy = new IdeProxy({
      addresses: new IdeAddresses('http://localhost:7010/w/{workspace}/'),
      timeouts: TIMEOUTS,
    });
    const front = await listen((req, res) =>
      proxy.forward(req, res, {
        route: { workspaceId: 'workspace-1', port, path: '/', prefix: '' },
        target,
        onError: () => void res.writeHead(502).end(),
      }),
    );
    return `http://127.0.0.1:${front}/`;
  }

  it('waits for an application that is stopped at a breakpoint, not for an IDE', async () => {
    const slow: RequestListener = async (_req, res) => {
      await sleep(LATE_MS);
      res.end('continued');
    };
    expect((await fetch(await proxyTo(slow, null))).status).toBe(502);
    const answer = await fetch(await proxyTo(slow, 8080));
    expect(await answer.text()).toBe('continued');
  });

  it('forwards a response whose parts are far apart', async () => {
    const events: RequestListener = async (_req, res) => {
      res.write('first,');
      await sleep(LATE_MS);
      res.end('second');
    };
    const answer = await fetch(await proxyTo(events, null));
    expect(await answer.text()).toBe('first,second');
  });

  it('probes the connection of a response, so that it ends with its machine', async () => {
    const probe = vi.spyOn(Socket.prototype, 'setKeepAlive');
    const url = await proxyTo((_req, res) => void res.end('done'), null);
    // Not with fetch, which also enables keep-alive on its own connection.
    await new Promise<void>(resolve =>
      get(url, answer => answer.resume().once('end', resolve)),
    );
    expect(probe).toHaveBeenCalledWith(true, 60_000);
    probe.mockRestore();
  });
});
