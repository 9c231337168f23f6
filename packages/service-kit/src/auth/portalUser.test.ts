import { shopService } from '../__fixtures__/shopService.ts';
import type { Service } from '../index.ts';
import { FakePortal, startTestService } from '../testing/index.ts';

const ada = 'user:default/ada';
const grace = 'user:default/grace';
const definition = shopService({
  extend({ app, auth }) {
    const optional = {
      config: { access: auth.portalUser({ optional: true }) },
    };
    app.get('/me', optional, async ({ caller }) => caller);
    app.post('/me', optional, async ({ caller }) => caller);
    const admin = auth.admin(['group:default/platform-admins']);
    app.get('/admin', { config: { access: admin } }, async () => 'secrets');
    app.get(
      '/either',
      { config: { access: auth.anyOf(auth.apiKey(), admin) } },
      async ({ caller }) => caller,
    );
  },
});

let portal: FakePortal;
let service: Service;
let now: number;

beforeEach(async () => {
  now = Date.now();
  portal = await FakePortal.start({
    groups: { [ada]: ['group:default/platform-admins'] },
  });
  service = await startTestService(definition, {
    config: {
      portal: { baseUrl: portal.baseUrl },
      auth: { apiKeys: [{ name: 'robot', key: 'k' }] },
    },
    now: () => now,
  });
});

afterEach(async () => {
  await service.stop();
  await portal.stop();
});

function ask(
  url: string,
  headers: Record<string, string> = {},
  method: 'GET' | 'POST' = 'GET',
) {
  return service.app.inject({ method, url, headers });
}

it('authenticates a user by cookie and by bearer token', async () => {
  const byCookie = await ask('/me', { cookie: await portal.cookie(ada) });
  expect(byCookie.json()).toEqual({ kind: 'user', id: ada, via: 'cookie' });
  const byToken = await ask('/me', {
    authorization: `Bearer ${await portal.token(ada)}`,
  });
  expect(byToken.json()).toEqual({ kind: 'user', id: ada, via: 'bearer' });
  expect((await ask('/me')).json()).toEqual({ kind: 'anonymous' });
});

it('rejects each kind of token in the place of the other', async () => {
  const full = await portal.token(ada);
  const limited = await portal.token(ada, { limited: true });
  expect(
    (await ask('/me', { cookie: `backstage-auth=${full}` })).statusCode,
  ).toBe(401);
  expect(
    (await ask('/me', { authorization: `Bearer ${limited}` })).statusCode,
  ).toBe(401);
});

it('rejects tokens that are expired, malformed or signed with another key', async () => {
  const other = await FakePortal.start();
  const tokens = [
    await portal.token(ada, { expiresIn: -10 }),
    await other.token(ada),
    'nonsense',
    'a.b.c',
    `${(await portal.token(ada)).slice(0, -8)}AAAAAAAA`,
    // "alg": "none"
    `${Buffer.from('{"alg":"none","typ":"vnd.backstage.user"}').toString(
      'base64url',
    )}.${Buffer.from(`{"sub":"${ada}","exp":9999999999}`).toString(
      'base64url',
    )}.`,
  ];
  for (const token of tokens) {
    const response = await ask('/me', { authorization: `Bearer ${token}` });
    expect([token, response.statusCode]).toEqual([token, 401]);
  }
  await other.stop();
});

describe('a token of the portal’s proxy', () => {
  const bearer = async (
    user: string,
    options: { service?: string; expiresIn?: number } = {},
  ) => ({
    authorization: `Bearer ${await portal.token(user, {
      service: 'shop',
      ...options,
    })}`,
  });

  it('identifies the caller and the groups without a request to the portal', async () => {
    expect((await ask('/me', await bearer(ada))).json()).toEqual({
      kind: 'user',
      id: ada,
      via: 'bearer',
    });
    expect((await ask('/admin', await bearer(ada))).statusCode).toBe(200);
    expect((await ask('/admin', await bearer(grace))).statusCode).toBe(403);
    expect(portal.requests).toEqual(['GET /api/proxy/.well-known/jwks.json']);
  });

  it('is rejected by every other service', async () => {
    const headers = await bearer(ada, { service: 'analytics' });
    expect((await ask('/me', headers)).statusCode).toBe(401);
    expect((await ask('/admin', headers)).statusCode).toBe(401);
  });

  it('is rejected once it has expired, and as a cookie', async () => {
    const headers = await bearer(ada, { expiresIn: -10 });
    expect((await ask('/me', headers)).statusCode).toBe(401);
    const token = await portal.token(ada, { service: 'shop' });
    const cookie = `backstage-auth=${token}`;
    expect((await ask('/me', { cookie })).statusCode).toBe(401);
  });

  it('is rejected if it is signed with the keys of another kind of token', async () => {
    const [, payload, signature] = (
      await portal.token(ada, { service: 'shop' })
    ).split('.');
    const header = Buffer.from(
      JSON.stringify({ alg: 'ES256', kid: 'fake', typ: 'vnd.backstage.user' }),
    ).toString('base64url');
    const authorization = `Bearer ${header}.${payload}.${signature}`;
    expect((await ask('/me', { authorization })).statusCode).toBe(401);
  });
});

it('permits admins: 401 without a session, 403 without the group', async () => {
  expect((await ask('/admin')).statusCode).toBe(401);
  const cookieOf = async (user: string) => ({
    cookie: await portal.cookie(user),
  });
  expect((await ask('/admin', await cookieOf(grace))).statusCode).toBe(403);
  expect((await ask('/admin', await cookieOf(ada))).statusCode).toBe(200);
});

it('caches the groups of a token for a few seconds', async () => {
  const headers = { cookie: await portal.cookie(ada) };
  const asked = () =>
    portal.requests.filter(each => each.endsWith('/userinfo')).length;
  await ask('/admin', headers);
  await ask('/admin', headers);
  expect(asked()).toBe(1);
  now += 11_000;
  await ask('/admin', headers);
  expect(asked()).toBe(2);
});

it('responds with 503, not 401, while the portal is down, and recovers', async () => {
  const headers = { cookie: await portal.cookie(ada) };
  portal.down = true;
  const refused = await ask('/me', headers);
  expect(refused.statusCode).toBe(503);
  expect(refused.json().error.code).toBe('UNAVAILABLE');
  portal.down = false;
  expect((await ask('/admin', headers)).statusCode).toBe(200);
  portal.down = true;
  // The keys are cached, so the user can still be verified; the groups cannot be fetched.
  now += 11_000;
  expect((await ask('/me', headers)).statusCode).toBe(200);
  expect((await ask('/admin', headers)).statusCode).toBe(503);
});

it('uses its connection again after errors of the portal', async () => {
  const headers = { cookie: await portal.cookie(ada) };
  await ask('/admin', headers);
  portal.down = true;
  now += 11_000;
  const before = portal.connections;
  for (let turn = 0; turn < 5; turn += 1) {
    expect((await ask('/admin', headers)).statusCode).toBe(503);
  }
  expect(portal.connections - before).toBeLessThan(2);
});

it("responds with 503 if nothing listens at the portal's address", async () => {
  const headers = { cookie: await portal.cookie(ada) };
  await portal.stop();
  expect((await ask('/me', headers)).statusCode).toBe(503);
  portal = await FakePortal.start();
});

it('accepts a key or an admin, each by its own rule', async () => {
  expect((await ask('/either', { 'x-api-key': 'k' })).json().id).toBe('robot');
  const cookie = await portal.cookie(grace);
  expect((await ask('/either', { cookie })).statusCode).toBe(403);
  expect((await ask('/either', { cookie, 'x-api-key': 'k' })).statusCode).toBe(
    200,
  );
});

describe('a write by cookie', () => {
  const write = async (headers: Record<string, string>) => {
    const cookie = await portal.cookie(ada);
    return (await ask('/me', { cookie, ...headers }, 'POST')).statusCode;
  };

  it('is accepted from the portal and from clients other than browsers', async () => {
    expect(await write({ origin: 'http://localhost:3000' })).toBe(200);
    expect(await write({})).toBe(200);
    expect(await write({ 'sec-fetch-site': 'same-origin' })).toBe(200);
  });

  it('is rejected from any other page', async () => {
    expect(await write({ origin: 'http://evil.example' })).toBe(403);
    expect(await write({ origin: 'null' })).toBe(403);
    expect(await write({ origin: 'http://localhost:3001' })).toBe(403);
    expect(await write({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await write({ 'sec-fetch-site': 'same-site' })).toBe(403);
  });

  it('is accepted with a token, which browsers do not add automatically', async () => {
    const headers = {
      authorization: `Bearer ${await portal.token(ada)}`,
      origin: 'http://evil.example',
    };
    expect((await ask('/me', headers, 'POST')).statusCode).toBe(200);
  });
});
