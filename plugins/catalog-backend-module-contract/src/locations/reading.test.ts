import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { component, startCatalog } from '../__testUtils__/startCatalog';

const MIB = 1024 * 1024;
const bomb = gzipSync(Buffer.alloc(200 * MIB, '#'));

type Answer = (req: IncomingMessage, res: ServerResponse) => void;

/** Responses of an untrusted host, by path. */
const answers: Record<string, Answer> = {
  '/shop.yaml': (_, res) => res.end(component('shop')),
  '/long.yaml': (_, res) => res.end('#'.repeat(2 * MIB)),
  '/bomb.yaml': (_, res) => {
    res.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
  },
  '/trickle.yaml': (_, res) => {
    const timer = setInterval(() => res.write('# more\n'), 200);
    res.on('close', () => clearInterval(timer));
  },
  '/silent.yaml': () => {},
  '/nested.yaml': (req, res) => {
    const target = `http://${req.headers.host}/bomb.yaml`;
    res.end(
      `{apiVersion: backstage.io/v1alpha1, kind: Location, metadata: {name: nested}, spec: {targets: ['${target}']}}`,
    );
  },
  '/linked.yaml': (req, res) => {
    const base = `http://${req.headers.host}`;
    res.end(
      [
        component('linked'),
        component('words').replace('A service', `{$text: '${base}/words.txt'}`),
        `{apiVersion: backstage.io/v1alpha1, kind: Location, metadata: {name: links}, spec: {targets: ['${base}/far.yaml']}}`,
      ].join('---\n'),
    );
  },
  '/words.txt': (_, res) => res.end('words'),
  '/far.yaml': (_, res) => res.end(component('far')),
  '/once': (_, res) => redirect(res, '/shop.yaml'),
  '/4': (_, res) => redirect(res, '/3'),
  '/3': (_, res) => redirect(res, '/2'),
  '/2': (_, res) => redirect(res, '/once'),
  '/elsewhere': (req, res) => {
    const port = req.headers.host?.split(':')[1];
    redirect(res, `http://127.0.0.1:${port}/shop.yaml`);
  },
};

function redirect(res: ServerResponse, location: string): void {
  res.writeHead(302, { location }).end();
}

describe('descriptors of a host that means no good', () => {
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(`${req.headers.host}${req.url}`);
    const answer = answers[req.url ?? ''];
    if (answer) {
      answer(req, res);
    } else {
      res.writeHead(404).end();
    }
  });
  let host: string;
  let catalog: Awaited<ReturnType<typeof startCatalog>>;

  beforeAll(async () => {
    await new Promise<void>(resolve => {
      server.listen(0, 'localhost', resolve);
    });
    host = `localhost:${(server.address() as AddressInfo).port}`;
    catalog = await startCatalog({ host });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const register = (target: string) =>
    catalog.register({ type: 'url', target: `http://${host}${target}` });
  const connections = () =>
    new Promise<number>((resolve, reject) => {
      server.getConnections((error, count) =>
        error ? reject(error) : resolve(count),
      );
    });

  it.each([
    ['/long.yaml', 'is larger than 1048576 bytes'],
    ['/bomb.yaml', 'is larger than 1048576 bytes'],
    ['/nested.yaml', 'is larger than 1048576 bytes'],
    ['/4', 'redirects too often'],
    ['/elsewhere', 'is not allowed'],
    ['/nothing.yaml', 'The descriptor cannot be read: '],
  ])('%s is refused', async (target, reason) => {
    const before = process.memoryUsage().rss;
    const answer = await register(target);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(reason);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * MIB);
  });

  it('is aborted after ten seconds if it is slow or silent', async () => {
    const refusals = await Promise.all(
      ['/trickle.yaml', '/silent.yaml'].map(register),
    );
    for (const { status, body } of refusals) {
      expect(status).toBe(400);
      expect(body.error).toContain('was not read within 10 s');
    }
    await vi.waitFor(async () => expect(await connections()).toBe(0));
  });

  it('is asked nothing where the address is another', async () => {
    expect(asked.filter(each => !each.startsWith(host))).toEqual([]);
  });

  it('are taken after a redirect, and read again later within the same limits', async () => {
    expect((await register('/once')).status).toBe(201);
    const path = '/api/catalog/entities/by-name/component/default/shop';
    await vi.waitFor(
      async () => expect((await catalog.api.get(path)).status).toBe(200),
      { timeout: 20_000, interval: 200 },
    );
    answers['/shop.yaml'] = answers['/bomb.yaml'];
    const seen = asked.length;
    // The catalog reads it again every second.
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(seen + 3), {
      timeout: 20_000,
      interval: 200,
    });
    expect((await catalog.api.get(path)).status).toBe(200);
    expect(await connections()).toBeLessThan(3);
  });

  it('are checked by the rules at every later read, including redirects', async () => {
    // Requests to another server of the internal network, which is not in the
    // allowlist.
    const inside: string[] = [];
    const machine = createServer((req, res) => {
      inside.push(req.url ?? '');
      res.end('the secrets of the machine');
    });
    await new Promise<void>(resolve => {
      machine.listen(0, 'localhost', resolve);
    });
    const { port } = machine.address() as AddressInfo;
    const nameOf = (name: string) =>
      catalog.api.get(
        `/api/catalog/entities/by-name/component/default/${name}`,
      );
    expect((await register('/linked.yaml')).status).toBe(201);
    for (const name of ['linked', 'words', 'far']) {
      await vi.waitFor(
        async () => expect((await nameOf(name)).status).toBe(200),
        { timeout: 20_000, interval: 200 },
      );
    }

    for (const path of ['/words.txt', '/far.yaml', '/linked.yaml']) {
      const before = answers[path];
      answers[path] = (_, res) =>
        redirect(res, `http://localhost:${port}${path}`);
      const seen = asked.length;
      const expected = `${host}${path}`;
      const readings = () =>
        asked.slice(seen).filter(each => each === expected).length;
      await vi.waitFor(() => expect(readings()).toBeGreaterThan(1), {
        timeout: 20_000,
        interval: 200,
      });
      answers[path] = before;
    }
    expect(inside).toEqual([]);
    const { body } = await nameOf('words');
    expect(body.metadata.description).toBe('words');
    machine.closeAllConnections();
    machine.close();
  });
});
