import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const main = path.join(import.meta.dirname, '__fixtures__', 'main.ts');
const inMemory = {
  APP_CONFIG_shop_database: JSON.stringify({
    client: 'better-sqlite3',
    connection: { filename: ':memory:' },
  }),
  APP_CONFIG_shop_listen_port: '0',
};

/** Runs the shop as a separate process. */
class ShopProcess {
  readonly child: ChildProcess;
  output = '';
  readonly errors: Promise<string>;
  readonly exit: Promise<[number | null, NodeJS.Signals | null]>;

  constructor(env: Record<string, string>) {
    this.child = spawn(process.execPath, [main], {
      env: {
        PATH: process.env.PATH,
        // Without this cache, each start would spend a third of a second compiling the same modules.
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        ...inMemory,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.exit = once(this.child, 'exit') as ShopProcess['exit'];
    this.errors = text(this.child.stderr!);
    this.child.stdout!.on('data', chunk => {
      this.output += chunk;
    });
  }

  /** Returns its address once it listens. */
  address(): Promise<string> {
    return vi.waitFor(
      () => {
        const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(this.output) ?? [];
        if (!url) {
          throw new Error(`It does not listen yet: ${this.output}`);
        }
        return url;
      },
      { timeout: 60_000, interval: 50 },
    );
  }

  /** Waits until it has begun to handle a slow request. */
  async begins(): Promise<void> {
    await vi.waitUntil(() => this.output.includes('slow request begun'));
  }
}

const running: ShopProcess[] = [];

function run(env: Record<string, string> = {}): ShopProcess {
  const shop = new ShopProcess(env);
  running.push(shop);
  return shop;
}

afterEach(async () => {
  for (const { child, exit } of running.splice(0)) {
    child.kill('SIGKILL');
    await exit;
  }
});

it('starts without the client for HTTP, which takes megabytes', async () => {
  const shop = run();
  const response = await fetch(`${await shop.address()}/modules`);
  const modules = await response.json();
  expect(modules).toContain('NativeModule http');
  expect(modules).not.toContain('NativeModule internal/deps/undici/undici');
});

it('reports its address, serves, and finishes accepted requests', async () => {
  const shop = run();
  const url = await shop.address();
  expect(shop.output).toContain(`Shop listens on ${url}`);
  expect((await fetch(`${url}/health`)).status).toBe(200);

  const slow = fetch(`${url}/slow/1500`);
  await shop.begins();
  shop.child.kill('SIGTERM');
  await vi.waitFor(() => expect(fetch(`${url}/health`)).rejects.toThrow());
  const response = await slow;
  expect([response.status, await response.text()]).toEqual([200, 'done']);
  expect(await shop.exit).toEqual([0, null]);
  expect(shop.output).toContain('work stopped');
  // The client kept its connection open, which does not keep the service running.
  expect(shop.output).not.toContain('are aborted');
});

it('does not wait forever for a request', async () => {
  const shop = run({ APP_CONFIG_shop_limits_shutdownTimeout: '500' });
  const url = await shop.address();
  const endless = fetch(`${url}/slow/25000`).catch(() => 'broken off');
  await shop.begins();
  const asked = Date.now();
  shop.child.kill('SIGINT');
  expect(await endless).toBe('broken off');
  expect(await shop.exit).toEqual([0, null]);
  // Long before the request would have ended.
  expect(Date.now() - asked).toBeLessThan(15_000);
});

it('responds with 408 to an incomplete request, 400 to a malformed one, and as usual to an unusual one', async () => {
  const shop = run({
    APP_CONFIG_shop_limits_requestTimeout: '2000',
    APP_CONFIG_shop_auth_apiKeys: '[{"name":"a","key":"k"}]',
  });
  const { port } = new URL(await shop.address());
  const talk = async (words: string) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(words);
    return text(socket);
  };
  const head = 'POST /api/orders HTTP/1.1\r\nHost: shop\r\nX-API-Key: k\r\n';
  const body = 'Content-Type: application/json\r\nContent-Length: 5\r\n\r\n{"a';
  const longPath = `/api/orders/${'a'.repeat(20_000)}`;
  const [lateHead, lateBody, nonsense, expecting, long] = await Promise.all([
    talk(head),
    talk(head + body),
    talk('hello\r\n\r\n'),
    talk(`GET /none HTTP/1.0\r\nHost: shop\r\nExpect: wonders\r\n\r\n`),
    talk(`GET ${longPath} HTTP/1.0\r\nHost: shop\r\n\r\n`),
  ]);
  expect(lateHead).toMatch(/^HTTP\/1\.1 408 /);
  expect(lateBody).toMatch(/^HTTP\/1\.1 408 /);
  expect(nonsense).toMatch(/^HTTP\/1\.1 400 /);
  expect(nonsense).toContain('"code":"INVALID_REQUEST"');
  // Both are logged and get the headers of every response.
  for (const answer of [expecting, long]) {
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toMatch(/^x-request-id: /im);
    expect(answer).toContain('"code":"NOT_FOUND"');
  }
});

it('reports every configuration error and exits with 1', async () => {
  const shop = run({
    APP_CONFIG_shop_listen_port: '"many"',
    APP_CONFIG_shop_colour: 'red',
  });
  expect(await shop.exit).toEqual([1, null]);
  expect(await shop.errors).toBe(
    `shop cannot start: The configuration has 2 errors:
  shop.colour is not a known key
  shop.listen.port must be integer
`,
  );
});

it('exits with 1 if its port is in use', async () => {
  const first = run();
  const { port } = new URL(await first.address());
  const second = run({ APP_CONFIG_shop_listen_port: port });
  expect(await second.exit).toEqual([1, null]);
  expect(await second.errors).toMatch(/^shop cannot start: .*EADDRINUSE.*\n$/);
});

it('exits with 1 if its database is unavailable', async () => {
  const shop = run({
    APP_CONFIG_shop_database: JSON.stringify({
      client: 'pg',
      connection: 'postgresql://shop:hunter2@127.0.0.1:1/shop',
    }),
  });
  expect(await shop.exit).toEqual([1, null]);
  const errors = await shop.errors;
  expect(errors).toMatch(/^shop cannot start: .*\n$/);
  expect(errors).not.toContain('hunter2');
});

it('rejects development credentials in production, along with all other errors', async () => {
  const keys = [{ name: 'a', key: 'dev-space-key' }];
  const shop = run({
    NODE_ENV: 'production',
    APP_CONFIG_shop_auth_apiKeys: JSON.stringify(keys),
    APP_CONFIG_shop_listen_port: '"high"',
  });
  expect(await shop.exit).toEqual([1, null]);
  const errors = await shop.errors;
  expect(errors).toContain(
    'shop.auth.apiKeys[0].key holds a development credential (dev-space-key)',
  );
  expect(errors).toContain('shop.listen.port must be integer');
});
