import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, IncomingMessage, request, Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AddressInfo } from 'node:net';
import {
  mockCredentials,
  mockServices,
  TestDatabases,
} from '@backstage/backend-test-utils';
import { WebSocket, WebSocketServer } from 'ws';
import { FakeRuntime } from '../__testUtils__/FakeRuntime';
import { aDevfile, aWorkspace } from '../__testUtils__/workspaces';
import { DatabaseWorkspaceStore } from '../workspaces/DatabaseWorkspaceStore';
import { DatabaseIdeGrantStore } from './DatabaseIdeGrantStore';
import { GatewayDoor } from './GatewayDoor';
import { IdeAccessService } from './IdeAccessService';
import { IdeAddresses } from './IdeAddresses';
import { IdeGateway } from './IdeGateway';
import { IdeTargets } from './IdeTargets';
import { PortalIdentity } from './PortalIdentity';

const databases = TestDatabases.create({ ids: ['SQLITE_3'] });
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map(close => close()));
});

/** Answers with what it was asked, and echoes over WebSockets: what stands behind the gateway. */
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
  closers.push(async () => {
    sockets.clients.forEach(client => client.terminate());
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  });
  return server;
}

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

async function createGateway(form: 'path' | 'host') {
  const knex = await databases.init('SQLITE_3');
  const store = await DatabaseWorkspaceStore.create({
    database: mockServices.database({ knex, migrations: { skip: false } }),
  });
  const addresses = new IdeAddresses(
    form === 'path'
      ? 'http://localhost:7010/w/{workspace}/'
      : 'https://{workspace}.ide.example.org/',
  );
  const runtime = new FakeRuntime();
  const access = new IdeAccessService({
    grants: new DatabaseIdeGrantStore(knex),
    addresses,
  });
  const targets = new IdeTargets({ store, runtime });
  const door = new GatewayDoor({ access, targets });
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
  closers.push(() => gateway.close());

  const workspace = aWorkspace({
    status: 'Running',
    devfile: aDevfile([
      { targetPort: 8080 },
      { targetPort: 9090, exposure: 'none' },
    ]),
  });
  await store.insert(workspace);
  const directory = await mkdtemp(join(tmpdir(), 'slipway-gateway-'));
  closers.push(() => rm(directory, { recursive: true, force: true }));
  const socketPath = join(directory, 'ide.sock');
  await startUpstream(server => server.listen(socketPath));
  door.open(workspace.id, { kind: 'socket', path: socketPath });

  /** Asks as the browser would that has this address in its bar. */
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
  const connect = (headers: Record<string, string>, path = '') => {
    const url = new URL(addresses.ide(workspace.id));
    const socket = new WebSocket(
      `ws://127.0.0.1:${port}${url.pathname}${path}`,
      { headers: { host: url.host, ...headers } },
    );
    closers.push(async () => socket.terminate());
    return new Promise<WebSocket | number>(resolve => {
      socket.on('open', () => resolve(socket));
      socket.on('unexpected-response', (_req, res) => resolve(res.statusCode!));
      socket.on('error', () => {});
    });
  };
  const ide = addresses.ide(workspace.id);
  return {
    access,
    addresses,
    ask,
    connect,
    door,
    gateway,
    ide,
    origin: new URL(ide).origin,
    runtime,
    signIn,
    store,
    used,
    workspace,
  };
}

describe.each(['path', 'host'] as const)('IdeGateway, by %s', form => {
  it('turns a ticket into a cookie and an address without the ticket', async () => {
    const { ask, ide, signIn } = await createGateway(form);
    const { answer, cookie } = await signIn({ path: '/?folder=/projects' });

    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe(
      `${new URL(ide).pathname}?folder=%2Fprojects`,
    );
    expect(answer.headers['set-cookie']![0]).toContain('HttpOnly');
    const page = await ask(`${ide}static/x.js?v=1`, { headers: { cookie } });
    expect(page.status).toBe(200);
    expect(JSON.parse(page.body).url).toBe('/static/x.js?v=1');
  });

  it('forwards neither our cookie nor the credential of the portal', async () => {
    const { ask, ide, signIn } = await createGateway(form);
    const { cookie } = await signIn();
    const page = await ask(ide, {
      headers: {
        cookie: `${cookie}; backstage-auth=portal; theme=dark`,
        authorization: 'Bearer portal-token',
      },
    });

    const { headers } = JSON.parse(page.body);
    expect(headers.cookie).toBe('theme=dark');
    expect(headers.authorization).toBeUndefined();
    expect(headers.host).toBe(new URL(ide).host);
    expect(page.headers['set-cookie']).toEqual([
      `app=1; Path=${new URL(ide).pathname}`,
    ]);
  });

  it('refuses without a session: a browser goes to the portal, anything else gets 401', async () => {
    const { ask, ide, workspace } = await createGateway(form);
    const navigation = await ask(`${ide}?folder=x`, {
      headers: { accept: 'text/html' },
    });
    expect(navigation.status).toBe(303);
    expect(navigation.headers.location).toBe(
      `http://localhost:3000/workspaces/${workspace.id}/open?return=%2F%3Ffolder%3Dx`,
    );
    await expect(ask(ide)).resolves.toMatchObject({
      status: 401,
      body: '{"error":"Open this IDE from the portal"}',
    });
    const forged = await ask(ide, {
      headers: { cookie: 'slipway-ide=forged; __Host-slipway-ide=forged' },
    });
    expect(forged.status).toBe(401);
  });

  it("lets the owner's portal session in and nobody else's", async () => {
    const { ask, ide, workspace } = await createGateway(form);
    const as = (ref: string) =>
      ask(ide, {
        headers: { authorization: mockCredentials.user.header(ref) },
      });

    const owner = await as(workspace.owner);
    expect(owner.status).toBe(200);
    expect(owner.headers['set-cookie']!.join()).toContain('slipway-ide=');
    expect((await as('user:default/grace')).status).toBe(401);
    const cookie = mockCredentials.limitedUser.cookie(workspace.owner);
    expect((await ask(ide, { headers: { cookie } })).status).toBe(200);
  });

  it('knows nothing of unknown workspaces', async () => {
    const { addresses, ask } = await createGateway(form);
    const unknown = addresses.ide('workspace-none');
    expect((await ask(unknown)).status).toBe(401);
    expect((await ask('http://localhost:7010/')).status).toBe(404);
  });

  it('refuses writes and sockets of another origin', async () => {
    const { ask, connect, ide, origin, signIn } = await createGateway(form);
    const { cookie } = await signIn();
    const post = (from: string) =>
      ask(ide, { method: 'POST', headers: { cookie, origin: from } });

    expect((await post('http://evil.example')).status).toBe(403);
    expect((await post('null')).status).toBe(403);
    expect((await post(origin)).status).toBe(200);
    await expect(
      connect({ cookie, origin: 'http://evil.example' }),
    ).resolves.toBe(403);
  });

  it('takes neither a ticket nor the cookie of another workspace', async () => {
    const first = await createGateway(form);
    const { url } = await first.access.issueTicket(first.workspace);
    expect((await first.ask(url)).status).toBe(303);
    const replayed = await first.ask(url, {
      headers: { accept: 'text/html' },
    });
    expect(replayed.headers['set-cookie']).toBeUndefined();
    expect(replayed.headers.location).toMatch(/^http:\/\/localhost:3000\//);

    const other = aWorkspace({ id: 'workspace-other', name: 'other' });
    await first.store.insert(other);
    const { token } = await first.access.openSession(other);
    const [name] = (await first.signIn()).cookie.split('=');
    const cookie = `${name}=${token}`;
    expect((await first.ask(first.ide, { headers: { cookie } })).status).toBe(
      401,
    );
    await expect(first.connect({ origin: first.origin })).resolves.toBe(401);
    await expect(first.connect({ cookie, origin: first.origin })).resolves.toBe(
      401,
    );
  });

  it('lets only the IDE itself embed what it answers', async () => {
    const { ask, ide, origin, signIn } = await createGateway(form);
    const { cookie } = await signIn();
    const from = (site: string, mode: string) =>
      ask(ide, {
        headers: { cookie, 'sec-fetch-site': site, 'sec-fetch-mode': mode },
      });

    expect((await from('same-site', 'cors')).status).toBe(403);
    expect((await from('cross-site', 'no-cors')).status).toBe(403);
    expect((await from('same-origin', 'cors')).status).toBe(200);
    const page = await from('cross-site', 'navigate');
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain(
      `frame-ancestors 'self' ${origin}`,
    );
  });

  it('ends sessions and open sockets when the owner signs out', async () => {
    const { access, ask, connect, gateway, ide, origin, signIn, workspace } =
      await createGateway(form);
    const { cookie } = await signIn();
    const socket = await connect({ cookie, origin }, 'ws');
    if (typeof socket === 'number') {
      throw new Error(`The upgrade was refused with ${socket}`);
    }
    await gateway.recheckSockets();
    expect(socket.readyState).toBe(WebSocket.OPEN);

    const closed = new Promise(resolve => socket.once('close', resolve));
    await access.revokeOwner(workspace.owner);
    await gateway.recheckSockets();
    await closed;
    expect((await ask(ide, { headers: { cookie } })).status).toBe(401);
  });

  it('forwards WebSockets of a session until it is revoked', async () => {
    const { connect, door, origin, signIn, used, workspace } =
      await createGateway(form);
    await expect(connect({ origin })).resolves.toBe(401);
    const { cookie } = await signIn();
    const socket = await connect({ cookie, origin }, 'ws?x=1');
    if (typeof socket === 'number') {
      throw new Error(`The upgrade was refused with ${socket}`);
    }
    const echoed = new Promise(resolve =>
      socket.once('message', data => resolve(String(data))),
    );
    socket.send('hello');
    await expect(echoed).resolves.toBe('echo hello');
    expect(used).toContain(workspace.id);

    const closed = new Promise(resolve => socket.once('close', resolve));
    await door.close(workspace.id);
    await closed;
    await expect(connect({ cookie, origin })).resolves.toBe(401);
  });

  it('takes a path with two slashes for a path, never for another host', async () => {
    const { access, ask, ide, signIn, workspace } = await createGateway(form);
    const { cookie } = await signIn();
    for (const path of ['//', '//[', '//evil.example/x']) {
      const page = await ask(`${ide.slice(0, -1)}${path}`, {
        headers: { cookie },
      });
      expect(page.status).toBe(200);
      expect(JSON.parse(page.body).url).toBe(path);
    }
    const { url } = await access.issueTicket(workspace);
    const ticket = new URL(url).search;
    const answer = await ask(`${ide}/evil.example/${ticket}`);
    expect(answer.headers.location).toBe(
      `${new URL(ide).pathname}evil.example/`,
    );
  });

  it('believes nothing that a client says of where it came from', async () => {
    const { ask, ide, signIn } = await createGateway(form);
    const { cookie } = await signIn();
    const page = await ask(ide, {
      headers: {
        cookie,
        forwarded: 'host=evil.example',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-for': '203.0.113.9',
        'x-forwarded-user': 'admin',
      },
    });
    const { headers } = JSON.parse(page.body);
    expect(headers).toMatchObject({
      'x-forwarded-host': new URL(ide).host,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': form === 'host' ? 'https' : 'http',
    });
    expect(headers.forwarded).toBeUndefined();
    expect(headers['x-forwarded-user']).toBeUndefined();
  });

  it('finds its session beside a planted cookie of the same name', async () => {
    const { ask, ide, signIn } = await createGateway(form);
    const { cookie } = await signIn();
    const [name] = cookie.split('=');
    const page = await ask(ide, {
      headers: { cookie: `${name}=planted; ${cookie}` },
    });
    expect(page.status).toBe(200);
  });

  it('ends an answer that its IDE did not finish', async () => {
    const { ask, door, ide, signIn, workspace } = await createGateway(form);
    const { cookie } = await signIn();
    const dying = createServer((_req, res) => {
      res.writeHead(200, { 'Content-Length': '100' });
      res.write('begun', () => res.destroy());
    });
    await new Promise<void>(resolve =>
      dying.listen(0, '127.0.0.1', () => resolve()),
    );
    closers.push(async () => dying.close());
    const { port } = dying.address() as AddressInfo;
    door.open(workspace.id, {
      kind: 'origin',
      url: `http://127.0.0.1:${port}`,
    });
    await expect(ask(ide, { headers: { cookie } })).rejects.toThrow(
      /aborted|hang up/,
    );
  });

  it('leads to the portal when the workspace does not run', async () => {
    const { ask, ide, runtime, signIn, access, store } = await createGateway(
      form,
    );
    const { cookie } = await signIn();
    const stopped = aWorkspace({ status: 'Stopped' });
    await store.insert(stopped);
    const session = await access.openSession(stopped);
    const name = cookie.split('=')[0];
    const answer = await ask(ide.replace(/workspace-\d+/, stopped.id), {
      headers: { cookie: `${name}=${session.token}` },
    });
    expect(answer).toMatchObject({
      status: 503,
      body: '{"error":"The workspace is not running"}',
    });
    expect(runtime.running.size).toBe(0);
  });

  it('reaches declared ports alone, and only where the workspace listens', async () => {
    const { addresses, ask, runtime, signIn, workspace } = await createGateway(
      form,
    );
    const server = await startUpstream(upstream =>
      upstream.listen(0, '127.0.0.1'),
    );
    const { port } = server.address() as AddressInfo;
    const endpoint = addresses.endpoint(workspace.id, 8080, '/app');
    const { cookie } = await signIn({ port: 8080 });
    const get = (address: string) => ask(address, { headers: { cookie } });

    expect(await get(endpoint)).toMatchObject({
      status: 502,
      body: '{"error":"Nothing of this workspace listens on port 8080"}',
    });
    for (const target of [8080, 9090, 7007]) {
      runtime.ports.set(`${workspace.id}:${target}`, {
        host: '127.0.0.1',
        port,
      });
    }
    expect(JSON.parse((await get(endpoint)).body).url).toBe('/app');
    const moved = await get(addresses.endpoint(workspace.id, 8080, '/moved'));
    expect(moved.headers.location).toBe(
      new URL(addresses.endpoint(workspace.id, 8080, '/login')).pathname,
    );
    for (const undeclared of [9090, 7007]) {
      const answer = await get(addresses.endpoint(workspace.id, undeclared));
      expect(answer.status).toBe(502);
    }
  });
});
