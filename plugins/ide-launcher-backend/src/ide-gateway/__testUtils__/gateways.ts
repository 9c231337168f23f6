import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, IncomingMessage, request, Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mockServices } from '@backstage/backend-test-utils';
import { WebSocket, WebSocketServer } from 'ws';
import { FakeRuntime } from '../../__testUtils__/FakeRuntime';
import { aDevfile, aWorkspace } from '../../__testUtils__/workspaces';
import { openStore } from '../../workspaces/__testUtils__/openStore';
import { IdeGrantStore } from '../storage/IdeGrantStore';
import { IdeAccessService } from '../IdeAccessService';
import { IdeAddresses, IdeTargets } from '../ideRoutes';
import { IdeGateway } from '../IdeGateway';
import { PortalIdentity } from '../BrowserSessions';
import { workspaceDatabases } from '../../workspaces/__testUtils__/workspaceDatabases';

/** A response of the gateway. */
interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

/**
 * Creates gateways and upstream servers for the tests of a file; they are closed after each test.
 */
export function useGateways() {
  const databases = workspaceDatabases();
  const closers: (() => Promise<unknown>)[] = [];
  const closeAfterwards = (close: () => Promise<unknown>) =>
    void closers.push(close);
  afterEach(async () => {
    await Promise.all(closers.splice(0).map(close => close()));
  });

  /**
   * Starts an upstream server that responds with the received request, and echoes over WebSockets.
   */
  async function startUpstream(listen: (server: Server) => void) {
    const server = createServer((req, res) => {
      res.setHeader('Set-Cookie', ['app=1; Path=/', 'backstage-auth=evil']);
      if (req.url === '/moved') {
        res.writeHead(302, { Location: '/login' }).end();
        return;
      }
      res.end(JSON.stringify({ url: req.url, headers: req.headers }));
    });
    const sockets = new WebSocketServer({ server });
    sockets.on('connection', socket =>
      socket.on('message', data => socket.send(`echo ${data}`)),
    );
    await new Promise<void>(resolve => {
      server.once('listening', resolve);
      listen(server);
    });
    closeAfterwards(async () => {
      sockets.clients.forEach(client => client.terminate());
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    });
    return server;
  }

  /** Creates a gateway with one running workspace, and functions that send requests like a browser. */
  async function createGateway(form: 'path' | 'host') {
    const { knex, store } = await openStore(databases);
    const addresses = new IdeAddresses(
      form === 'path'
        ? 'http://localhost:7010/w/{workspace}/'
        : 'https://{workspace}.ide.example.org/',
    );
    const runtime = new FakeRuntime();
    const access = new IdeAccessService({
      grants: new IdeGrantStore(knex),
      addresses,
    });
    const targets = new IdeTargets({ store, runtime, access });
    const used: string[] = [];
    const gateway = new IdeGateway({
      addresses,
      access,
      targets,
      identity: new PortalIdentity({ auth: mockServices.auth() }),
      ownerOf: async id => (await store.get(id))?.owner,
      onUse: id => used.push(id),
      portalUrl: 'http://localhost:3000',
      logger: mockServices.rootLogger(),
    });
    const port = await gateway.listen({ host: '127.0.0.1', port: 0 });
    closeAfterwards(() => gateway.close());

    const workspace = aWorkspace({
      status: 'Running',
      devfile: aDevfile([
        { targetPort: 8080 },
        { targetPort: 9090, exposure: 'none' },
      ]),
    });
    await store.insert(workspace);
    const directory = await mkdtemp(join(tmpdir(), 'slipway-gateway-'));
    closeAfterwards(() => rm(directory, { recursive: true, force: true }));
    const socketPath = join(directory, 'ide.sock');
    await startUpstream(server => server.listen(socketPath));
    targets.open(workspace.id, { kind: 'socket', path: socketPath });

    /** Sends a request like a browser that shows this address. */
    const ask = (
      address: string,
      options: { method?: string; headers?: Record<string, string> } = {},
    ) =>
      new Promise<Answer>((resolve, reject) => {
        const url = new URL(address);
        request(
          {
            host: '127.0.0.1',
            port,
            path: url.pathname + url.search,
            method: options.method,
            headers: { host: url.host, ...options.headers },
          },
          res => {
            let body = '';
            res.on('error', reject).on('data', chunk => (body += chunk));
            res.on('end', () =>
              resolve({ status: res.statusCode!, headers: res.headers, body }),
            );
          },
        )
          .on('error', reject)
          .end();
      });
    const signIn = async (destination = {}) => {
      const { url } = await access.issueTicket(workspace, destination);
      const answer = await ask(url);
      return { answer, cookie: answer.headers['set-cookie']![0].split(';')[0] };
    };
    /** Opens a WebSocket without waiting for the response. */
    const dial = (headers: Record<string, string>, path = '') => {
      const url = new URL(addresses.ide(workspace.id));
      const socket = new WebSocket(
        `ws://127.0.0.1:${port}${url.pathname}${path}`,
        { headers: { host: url.host, ...headers } },
      );
      socket.on('error', () => {});
      closeAfterwards(async () => socket.terminate());
      return socket;
    };
    /** Opens a WebSocket. Resolves with the response's status if it is rejected. */
    const connect = (headers: Record<string, string>, path = '') =>
      new Promise<WebSocket | number>(resolve => {
        const socket = dial(headers, path);
        socket.on('open', () => resolve(socket));
        socket.on('unexpected-response', (_req, res) =>
          resolve(res.statusCode!),
        );
      });
    const ide = addresses.ide(workspace.id);
    return {
      access,
      addresses,
      ask,
      connect,
      dial,
      targets,
      gateway,
      ide,
      origin: new URL(ide).origin,
      port,
      runtime,
      /** Returns the number of stored sessions. */
      sessions: async () =>
        (await knex('ide_grants').where({ kind: 'session' })).length,
      signIn,
      store,
      used,
      workspace,
    };
  }

  return { closeAfterwards, createGateway, startUpstream };
}
