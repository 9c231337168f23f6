import type { Service } from '@slipway/service-kit';
import { FakePortal, openTestDatabase } from '@slipway/service-kit/testing';
import {
  ADMIN_TOKEN,
  callsTo,
  CLIENT_TOKEN,
  startFeatureFlags,
} from './__testUtils__/startFeatureFlags.ts';
import { featureFlags } from './service.ts';

const ADMIN_ROUTES = [
  ['GET', '/api/admin/features'],
  ['POST', '/api/admin/features'],
  ['POST', '/api/admin/features/a/toggle/on'],
  ['GET', '/api/admin/metrics/features/a'],
  ['GET', '/api/admin/events'],
  ['GET', '/api/admin/api-tokens'],
  ['GET', '/api/admin/webhooks'],
] as const;

const CLIENT_ROUTES = [
  ['GET', '/api/client/features'],
  ['POST', '/api/client/register'],
  ['POST', '/api/client/metrics'],
] as const;

describe('who may call', () => {
  let service: Service;
  let calls: ReturnType<typeof callsTo>;
  let portal: FakePortal;

  beforeEach(async () => {
    portal = await FakePortal.start({
      groups: { 'user:default/ada': ['group:default/platform-admins'] },
    });
    service = await startFeatureFlags({
      config: { portal: { baseUrl: portal.baseUrl } },
    });
    calls = callsTo(service);
  });

  afterEach(async () => {
    await service.stop();
    await portal.stop();
  });

  it.each([...ADMIN_ROUTES, ...CLIENT_ROUTES])(
    '%s %s is 401 without a token, with an unknown one and with what is none',
    async (method, url) => {
      for (const token of [
        undefined,
        '*:development.unknown',
        'Bearer *:development.unknown',
        'nonsense',
        'Basic YTpi',
        'Bearer nonsense',
      ]) {
        const { status, body } = await calls.send(method, url, { token });
        expect([token, status]).toEqual([token, 401]);
        expect(body).toEqual({
          name: 'UnauthorizedError',
          message: expect.any(String),
          details: [{ message: expect.any(String) }],
        });
      }
    },
  );

  it.each([
    ...ADMIN_ROUTES.map(route => [...route, CLIENT_TOKEN] as const),
    ...CLIENT_ROUTES.map(route => [...route, ADMIN_TOKEN] as const),
  ])('%s %s is 403 with %s', async (method, url, token) => {
    for (const sent of [token, `Bearer ${token}`]) {
      const { status, body } = await calls.send(method, url, { token: sent });
      expect([status, body.name]).toEqual([403, 'NoAccessError']);
      expect(body.message).toMatch(
        /^This needs a token of the type \w+; the one sent is of the type \w+$/,
      );
    }
  });

  it('lets users of the portal read and its admins change flags', async () => {
    const bearer = async (user: string) =>
      `Bearer ${await portal.token(`user:default/${user}`)}`;
    const ada = await bearer('ada');
    const grace = await bearer('grace');
    const create = (token: string) =>
      calls.send('POST', '/api/admin/features', {
        token,
        payload: { name: 'a' },
      });
    expect((await create(grace)).status).toBe(403);
    expect((await create(ada)).status).toBe(201);
    const read = await calls.send('GET', '/api/admin/features/a', {
      token: grace,
    });
    expect(read.status).toBe(200);
    const { body } = await calls.send('GET', '/api/admin/events', {
      token: grace,
    });
    expect(body.events[0].createdBy).toBe('user:default/ada');
    for (const [token, mayChange] of [
      [ada, true],
      [grace, false],
      [ADMIN_TOKEN, true],
    ] as const) {
      const user = await calls.send('GET', '/api/admin/user', { token });
      expect(user.body).toMatchObject({ mayChange });
    }
    for (const url of ['/api/admin/api-tokens', '/api/admin/webhooks']) {
      const response = await calls.send('GET', url, { token: grace });
      expect(response.status).toBe(403);
    }
    const client = await calls.send('GET', '/api/client/features', {
      token: ada,
    });
    expect(client.status).toBe(401);
  });

  it('limits each client token on its own, with headers and a JSON error', async () => {
    const limited = await startFeatureFlags({
      config: { rateLimit: { perMinute: 2 } },
    });
    const { client, admin } = callsTo(limited);
    await client('GET', '/features');
    const second = await client('GET', '/features');
    expect(second.headers['x-ratelimit-remaining']).toBe('0');
    const third = await client('GET', '/features');
    expect(third.status).toBe(429);
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
    expect(third.body).toMatchObject({ name: 'RateLimitError' });
    expect((await admin('GET', '/features')).status).toBe(200);
    await limited.stop();
  });
});

describe('tokens', () => {
  it('are shown once, stored as hashes, listed without secrets, and revoked', async () => {
    const { database, dispose } = await openTestDatabase(
      'sqlite',
      featureFlags,
    );
    const service = await startFeatureFlags({ database });
    const { admin, send } = callsTo(service);
    const made = await admin('POST', '/api-tokens', {
      tokenName: 'shop',
      type: 'client',
    });
    expect(made.status).toBe(201);
    const { secret, ...token } = made.body;
    expect(token).toEqual({
      id: expect.any(String),
      tokenName: 'shop',
      type: 'client',
      projects: ['*'],
      environment: 'development',
      createdBy: 'token:test-admin',
      createdAt: expect.any(String),
    });
    const backend = await admin('POST', '/api-tokens', {
      tokenName: 'as Unleash calls it now',
      type: 'backend',
    });
    expect([backend.status, backend.body.type]).toEqual([201, 'client']);
    await admin('DELETE', `/api-tokens/${backend.body.id}`);
    const list = await admin('GET', '/api-tokens');
    expect(list.body.tokens).toHaveLength(4);
    expect(list.body.tokens[0]).toEqual(token);
    for (const table of ['api_tokens', 'history']) {
      const rows = JSON.stringify(await database.knex(table).select());
      expect(rows).not.toContain(secret.split('.')[1]);
    }

    const read = () => send('GET', '/api/client/features', { token: secret });
    expect((await read()).status).toBe(200);
    expect((await admin('DELETE', `/api-tokens/${token.id}`)).status).toBe(200);
    expect((await read()).status).toBe(401);
    expect((await admin('DELETE', `/api-tokens/${token.id}`)).status).toBe(404);
    const { body } = await admin('GET', `/events?featureName=${token.id}`);
    expect(body.events.map(({ type }: { type: string }) => type)).toEqual([
      'api-token-deleted',
      'api-token-created',
    ]);

    const elsewhere = await admin('POST', '/api-tokens', {
      tokenName: 'shop',
      type: 'client',
      environment: 'nowhere',
    });
    expect(elsewhere.status).toBe(400);
    const ofNothing = await admin('POST', '/api-tokens', {
      tokenName: 'shop',
      type: 'client',
      projects: ['default', 'misspelt'],
    });
    expect([ofNothing.status, ofNothing.body.message]).toEqual([
      400,
      'projects.1 must be an existing project: misspelt does not exist',
    ]);
    const adminToken = await admin('POST', '/api-tokens', {
      tokenName: 'second',
      type: 'admin',
    });
    expect(adminToken.body.secret).toMatch(/^\*:\*\.[0-9a-f]{56}$/);
    const asSecond = await send('GET', '/api/admin/features', {
      token: adminToken.body.secret,
    });
    expect(asSecond.status).toBe(200);
    await service.stop();
    await dispose();
  });

  it('end at their time, and never begin after it', async () => {
    let now = Date.UTC(2026, 10, 22);
    const service = await startFeatureFlags({ now: () => now });
    const { admin, features, send } = callsTo(service);
    const token = (expiresAt: string) =>
      admin('POST', '/api-tokens', {
        tokenName: 'shop',
        type: 'client',
        expiresAt,
      });
    const past = await token('2026-11-21T00:00:00Z');
    expect(past.status).toBe(400);
    expect(past.body.message).toBe('expiresAt must be in the future');
    const { status, body } = await token('2026-11-22T01:00:00Z');
    expect([status, body.expiresAt]).toEqual([201, '2026-11-22T01:00:00.000Z']);
    expect(await features(body.secret)).toEqual([]);
    now += 3_600_000;
    const ended = await send('GET', '/api/client/features', {
      token: body.secret,
    });
    expect([ended.status, ended.body.message]).toEqual([
      401,
      'The token has expired',
    ]);
    await service.stop();
  });

  it('of the configuration must match the schema of their type', async () => {
    await expect(
      startFeatureFlags({
        config: {
          tokens: [
            { name: 'a', type: 'client', token: 'secret' },
            { name: 'b', type: 'client', token: '*:*.secret' },
            { name: 'c', type: 'admin', token: '*:production.secret' },
          ],
        },
      }),
    ).rejects.toThrow(
      /tokens\[0\]\.token must be of the form[\s\S]*tokens\[1\]\.token must be of one environment[\s\S]*tokens\[2\]\.token must be of the environment \*/,
    );
  });
});
