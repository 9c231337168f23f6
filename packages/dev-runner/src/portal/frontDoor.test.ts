import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { createFrontDoor } from './frontDoor.ts';

const AS_BROWSER = { headers: { accept: 'text/html,*/*;q=0.8' } };

describe('createFrontDoor', () => {
  const servers: Server[] = [];

  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function listen(server: Server, port = 0): Promise<number> {
    servers.push(server.listen(port, '127.0.0.1'));
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  async function open(backend: RequestListener) {
    const server = createServer(backend);
    const port = await listen(server);
    const door = createFrontDoor(`http://127.0.0.1:${port}`);
    return { url: `http://127.0.0.1:${await listen(door)}`, server, port };
  }

  it('forwards requests with their bodies, and responses with their headers', async () => {
    const { url } = await open(async (req: IncomingMessage, res) => {
      res.writeHead(201, { 'cache-control': 'max-age=60', etag: '"1"' });
      res.end(`${req.method} ${req.url} ${await req.toArray()}`);
    });

    const answer = await fetch(`${url}/api/things?of=ada`, {
      method: 'POST',
      body: 'a thing',
    });

    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('max-age=60');
    expect(answer.headers.get('etag')).toBe('"1"');
    expect(await answer.text()).toBe('POST /api/things?of=ada a thing');
  });

  it('forwards pages unchanged', async () => {
    const { url } = await open((req, res) => {
      res.setHeader('cache-control', 'no-store').end(`page ${req.url}`);
    });

    const answer = await fetch(`${url}/catalog/of/ada`, AS_BROWSER);

    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.text()).toBe('page /catalog/of/ada');
  });

  it('forwards upgraded connections in both directions', async () => {
    const { url, server } = await open((_req, res) => res.end());
    server.on('upgrade', (_req, socket) => {
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n',
      );
      socket.pipe(socket);
    });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(
      'GET /api/signals HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    expect(String((await once(socket, 'data'))[0])).toContain('101 Switching');

    socket.write('hello');

    expect(String((await once(socket, 'data'))[0])).toBe('hello');
    socket.destroy();
  });

  it('makes pages reload themselves until the backend is back', async () => {
    const { url, server, port } = await open((_req, res) => res.end('page'));
    server.close();

    const gone = await fetch(`${url}/catalog`, AS_BROWSER);
    expect(gone.status).toBe(503);
    expect(gone.headers.get('cache-control')).toBe('no-store');
    expect(await gone.text()).toContain('http-equiv="refresh"');

    await listen(
      createServer((_req, res) => res.end('back')),
      port,
    );
    const back = await fetch(`${url}/catalog`, AS_BROWSER);
    expect(await back.text()).toBe('back');
  });

  it('sends programs an error while the backend is down', async () => {
    const { url, server } = await open((_req, res) => res.end());
    server.close();

    const answer = await fetch(`${url}/api/things`);

    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(await answer.json()).toMatchObject({
      error: { name: 'ServiceUnavailableError' },
    });
  });

  it.each([
    ['starts', 503],
    ['has no pages', 404],
  ])(
    'makes pages reload themselves while the backend %s',
    async (_case, status) => {
      const { url } = await open((_req, res) =>
        res.writeHead(status).end('{}'),
      );

      const page = await fetch(`${url}/`, AS_BROWSER);
      expect(page.status).toBe(503);
      expect(await page.text()).toContain('The portal is starting');

      const api = await fetch(`${url}/api/things`, AS_BROWSER);
      expect(api.status).toBe(status);
      expect(await api.text()).toBe('{}');
    },
  );

  it('aborts a response that the backend aborts', async () => {
    const { url } = await open((_req, res) => {
      res.write('half');
      setTimeout(() => res.destroy(), 50);
    });

    await expect(fetch(url).then(answer => answer.text())).rejects.toThrow(
      'terminated',
    );
    await expect(
      fetch(url, AS_BROWSER).then(answer => answer.text()),
    ).rejects.toThrow('terminated');
  });
});
