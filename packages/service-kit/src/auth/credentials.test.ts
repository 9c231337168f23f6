import { createHash } from 'node:crypto';
import { shopConfig, shopService } from '../__fixtures__/shopService.ts';
import type { Service } from '../index.ts';
import { startTestService } from '../testing/index.ts';

let service: Service;

beforeAll(async () => {
  service = await startTestService(
    shopService({
      extend({ app, auth }) {
        const users = [
          { name: 'dev', key: 'may-trigger', scopes: ['trigger'] },
          { name: 'viewer', key: 'may-read' },
        ];
        const basic = auth.basic({ users });
        const whoAmI = { config: { access: basic } };
        app.get('/basic', whoAmI, async ({ caller }) => caller);
        app.post(
          '/basic',
          { config: { access: auth.scoped(basic, 'trigger') } },
          async ({ caller }) => caller,
        );
        const tokens = [{ name: 'reader', key: 'token-1' }];
        app.get(
          '/open',
          { config: { access: auth.bearer({ tokens, optional: true }) } },
          async ({ caller }) => caller,
        );
        app.get(
          '/either',
          {
            config: {
              access: auth.anyOf(auth.bearer({ tokens }), auth.apiKey()),
            },
          },
          async ({ caller }) => caller,
        );
        const keys = [
          { name: 'client', key: '*:development.x', scopes: ['client'] },
          { name: 'admin', key: '*:*.y', scopes: ['admin'] },
        ];
        app.get(
          '/whole-header',
          {
            config: {
              access: auth.scoped(
                auth.apiKey({ header: 'Authorization', keys }),
                'admin',
              ),
            },
          },
          async ({ caller }) => caller,
        );
      },
    }),
    {
      config: {
        auth: {
          apiKeys: [
            ...shopConfig.auth.apiKeys,
            {
              name: 'hashed',
              sha256: createHash('sha256').update('other-key').digest('hex'),
            },
          ],
        },
      },
    },
  );
});

afterAll(() => service.stop());

const basic = (user: string, token: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`,
});

async function get(url: string, headers: Record<string, string> = {}) {
  const response = await service.app.inject({ url, headers });
  return { status: response.statusCode, body: response.json() };
}

describe('API keys', () => {
  const post = (headers: Record<string, string>) =>
    service.app.inject({ method: 'POST', url: '/api/orders', headers });

  it('accepts plain and hashed keys', async () => {
    for (const key of ['the-key', 'other-key']) {
      const { statusCode } = await post({ 'x-api-key': key });
      expect(statusCode).toBe(400);
    }
  });

  it('checks the key before the body', async () => {
    for (const headers of [{}, { 'x-api-key': 'wrong' }, { 'x-api-key': '' }]) {
      const response = await post(headers as Record<string, string>);
      expect(response.statusCode).toBe(401);
      expect(response.json().error.code).toBe('UNAUTHENTICATED');
    }
  });

  it('rejects a wrong key even if none is required', async () => {
    expect((await get('/api/orders')).body.caller).toBe('anonymous');
    expect((await get('/api/orders', { 'x-api-key': 'wrong' })).status).toBe(
      401,
    );
    expect(
      (await get('/api/orders', { 'x-api-key': 'the-key' })).body.caller,
    ).toBe('apiKey');
  });

  it('accepts them as the full value of another header', async () => {
    const ask = (authorization: string) =>
      get('/whole-header', { authorization });
    expect((await ask('*:*.y')).body.id).toBe('admin');
    expect((await ask('*:development.x')).status).toBe(403);
    expect((await ask('*:*.z')).status).toBe(401);
  });
});

describe('Basic', () => {
  it('authenticates a user by name and token', async () => {
    expect((await get('/basic', basic('dev', 'may-trigger'))).body).toEqual({
      kind: 'basic',
      id: 'dev',
      scopes: ['trigger'],
    });
  });

  it.each([
    basic('dev', 'may-read'),
    basic('viewer', 'may-trigger'),
    basic('', ''),
    { authorization: 'Basic !!!' },
    { authorization: 'Basic' },
    { authorization: 'Bearer may-read' },
    {},
  ])('refuses %j', async headers => {
    const response = await service.app.inject({ url: '/basic', headers });
    expect(response.statusCode).toBe(401);
    expect(response.headers['www-authenticate']).toBe(
      'Basic realm="Shop", charset="UTF-8"',
    );
  });

  it('responds with 403 without the scope', async () => {
    const post = (headers: Record<string, string>) =>
      service.app.inject({ method: 'POST', url: '/basic', headers });
    expect((await post(basic('dev', 'may-trigger'))).statusCode).toBe(200);
    const refused = await post(basic('viewer', 'may-read'));
    expect(refused.statusCode).toBe(403);
    expect(refused.json().error.code).toBe('FORBIDDEN');
  });
});

describe('writes by Basic', () => {
  const write = async (headers: Record<string, string>) => {
    const { statusCode } = await service.app.inject({
      method: 'POST',
      url: '/basic',
      headers: { ...basic('dev', 'may-trigger'), ...headers },
    });
    return statusCode;
  };

  it('are accepted only from the portal or non-browsers, since browsers send stored passwords', async () => {
    expect(await write({})).toBe(200);
    expect(await write({ origin: 'http://localhost:3000' })).toBe(200);
    expect(await write({ origin: 'http://evil.example' })).toBe(403);
    expect(await write({ origin: 'null' })).toBe(403);
    expect(await write({ 'sec-fetch-site': 'cross-site' })).toBe(403);
  });

  it('are accepted from other origins with their own token', async () => {
    const { statusCode } = await service.app.inject({
      method: 'POST',
      url: '/api/orders',
      headers: { 'x-api-key': 'the-key', origin: 'http://evil.example' },
      payload: { rating: 4 },
    });
    expect(statusCode).toBe(201);
  });
});

it('parses any header in linear time', async () => {
  const spaces = ' '.repeat(15_600);
  const startedAt = process.cpuUsage();
  for (let request = 0; request < 40; request++) {
    const headers = { authorization: `x y${spaces}\tz` };
    expect((await get('/basic', headers)).status).toBe(401);
    expect((await get('/either', headers)).status).toBe(401);
  }
  // Each used to block the event loop for 0.1 to 0.2 s of CPU time.
  expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(4_000);
  expect((await get('/basic', basic('x'.repeat(9_000), ''))).status).toBe(401);
});

it('accepts either of two kinds, and rejects an invalid one', async () => {
  const token = { authorization: 'Bearer token-1' };
  expect((await get('/either', token)).body.id).toBe('reader');
  expect((await get('/either', { 'x-api-key': 'the-key' })).body.id).toBe(
    'till',
  );
  expect(
    (await get('/either', { ...token, 'x-api-key': 'wrong' })).status,
  ).toBe(401);
  expect((await get('/either')).status).toBe(401);
});

it('rejects an unknown scheme, even if no credential is required', async () => {
  expect((await get('/open')).status).toBe(200);
  expect((await get('/open', basic('dev', 'may-trigger'))).status).toBe(401);
  expect((await get('/open', { authorization: 'nonsense' })).status).toBe(401);
});

it('does not start with a route without an access rule', async () => {
  const definition = shopService({
    extend({ app }) {
      app.get('/forgotten', async () => 'all');
    },
  });
  await expect(startTestService(definition)).rejects.toThrow(
    'GET /forgotten does not say who may call it',
  );
});
