import { createHash } from 'node:crypto';
import type { Database, Service } from '@slipway/service-kit';
import {
  FakePortal,
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import {
  API_TOKEN,
  clientOf,
  PROJECT_KEY,
  startAnalytics,
} from '../__testUtils__/startAnalytics.ts';
import { defineAnalytics } from '../service.ts';

const event = { event: 'signed up', distinct_id: 'ada' };

describe.each(testDatabaseClients())('projects in %s', databaseClient => {
  let portal: FakePortal;
  let database: Database;
  let dispose: () => Promise<void>;
  let service: Service;
  let ada: Record<string, string>;
  let grace: Record<string, string>;

  const start = (config: object = {}) =>
    startAnalytics({
      database,
      config: { portal: { baseUrl: portal.baseUrl }, ...config },
    });

  const ask = async (
    method: 'GET' | 'PATCH' | 'POST' | 'DELETE',
    path: string,
    options: { headers?: Record<string, string>; payload?: object } = {},
  ) => {
    const response = await service.app.inject({
      method,
      url: `/api/projects${path}`,
      ...options,
    });
    return { status: response.statusCode, body: response.json() };
  };

  beforeEach(async () => {
    portal = await FakePortal.start({
      groups: { 'user:default/ada': ['group:default/platform-admins'] },
    });
    const bearer = async (name: string) => ({
      authorization: `Bearer ${await portal.token(`user:default/${name}`)}`,
    });
    ada = await bearer('ada');
    grace = await bearer('grace');
    ({ database, dispose } = await openTestDatabase(
      databaseClient,
      defineAnalytics(),
    ));
    service = await start();
  });

  afterEach(async () => {
    await service.stop();
    await dispose();
    await portal.stop();
  });

  it('are listed for users, and managed by administrators', async () => {
    expect((await ask('GET', '')).status).toBe(401);
    expect(await ask('GET', '', { headers: grace })).toMatchObject({
      status: 200,
      body: {
        projects: [{ id: 'other' }, { id: 'shop', name: 'Shop' }],
        engine: 'sqlite',
        may_manage: false,
      },
    });
    const payload = { id: 'docs', name: 'Docs' };
    expect((await ask('POST', '', { headers: grace, payload })).status).toBe(
      403,
    );
    expect((await ask('POST', '', { headers: ada, payload })).status).toBe(201);
    const again = await ask('POST', '', { headers: ada, payload });
    expect(again).toMatchObject({ status: 409, body: { attr: 'id' } });
    expect((await ask('GET', '', { headers: ada })).body).toMatchObject({
      may_manage: true,
      projects: [{ id: 'docs' }, { id: 'other' }, { id: 'shop' }],
    });
  });

  it('are renamed by administrators, unless the configuration declares them', async () => {
    await ask('POST', '', {
      headers: ada,
      payload: { id: 'docs', name: 'Docs' },
    });
    const rename = (path: string, headers: object, name = ' Handbook ') =>
      ask('PATCH', path, {
        headers: headers as Record<string, string>,
        payload: { name },
      });
    expect((await rename('/docs', {})).status).toBe(401);
    expect((await rename('/docs', grace)).status).toBe(403);
    expect((await rename('/none', ada)).status).toBe(404);
    expect((await rename('/shop', ada)).status).toBe(409);
    for (const name of [' ', '', 'x'.repeat(101)]) {
      expect(await rename('/docs', ada, name)).toMatchObject({
        status: 400,
        body: { attr: 'name' },
      });
    }
    // Unknown fields are ignored, so this changes nothing.
    expect(
      await ask('PATCH', '/docs', { headers: ada, payload: { other: 1 } }),
    ).toMatchObject({ status: 200, body: { name: 'Docs' } });
    expect(await rename('/docs', ada)).toMatchObject({
      status: 200,
      body: { id: 'docs', name: 'Handbook', is_configured: false },
    });
    expect((await ask('GET', '', { headers: grace })).body).toMatchObject({
      projects: [
        { name: 'Handbook', is_configured: false },
        { is_configured: true },
        { is_configured: true },
      ],
    });
    const audit = await service.app.inject({
      url: '/api/v1/audit',
      headers: ada,
    });
    expect(audit.json().entries).toContainEqual(
      expect.objectContaining({
        by: 'user:default/ada',
        target: 'docs /  Handbook ',
      }),
    );
  });

  it('receive past events from admins, and are deleted with all their data', async () => {
    const batch = Array.from({ length: 3 }, (_, index) => ({
      ...event,
      timestamp: `2026-10-0${index + 1}T12:00:00Z`,
    }));
    const path = '/docs';
    const payload = { batch };
    const send = (headers: Record<string, string>) =>
      ask('POST', `${path}/events`, { headers, payload });
    expect((await send(ada)).status).toBe(404);
    await ask('POST', '', {
      headers: ada,
      payload: { id: 'docs', name: 'Docs' },
    });
    const state = async () => ({
      projects: await database.knex('projects').orderBy('id').pluck('id'),
      credentials: await database.knex('credentials').count({ of: '*' }),
    });
    const made = await ask('POST', `${path}/credentials`, {
      headers: ada,
      payload: { kind: 'capture', name: 'web' },
    });
    expect((await send(grace)).status).toBe(403);
    expect(await send(ada)).toEqual({ status: 200, body: { events: 3 } });
    const wrong = await ask('POST', `${path}/events`, {
      headers: ada,
      payload: { batch: [{ ...event, timestamp: 'soon' }] },
    });
    expect(wrong).toMatchObject({
      status: 400,
      body: { attr: 'batch.0.timestamp' },
    });
    const count = async () => {
      const { body } = await ask('POST', `${path}/query`, {
        headers: ada,
        payload: {
          query: {
            kind: 'EventsQuery',
            select: ['count()'],
            after: '2026-09-01',
          },
        },
      });
      return body.results;
    };
    expect(await count()).toEqual([[3]]);

    expect((await ask('DELETE', path, { headers: grace })).status).toBe(403);
    expect((await ask('DELETE', '/shop', { headers: ada })).status).toBe(409);
    expect((await ask('DELETE', path, { headers: ada })).status).toBe(200);
    expect((await ask('DELETE', path, { headers: ada })).status).toBe(404);
    expect((await state()).projects).toEqual(['other', 'shop']);
    const client = clientOf(service);
    expect((await client.capture(event, made.body.secret)).status).toBe(401);

    await ask('POST', '', {
      headers: ada,
      payload: { id: 'docs', name: 'Docs' },
    });
    expect(await count()).toEqual([[0]]);
  });

  it('have tokens that are shown once, stored as hashes, and revoked immediately', async () => {
    const path = '/shop/credentials';
    const payload = { kind: 'query', name: 'report' };
    const refused = await ask('POST', path, { headers: grace, payload });
    expect(refused.status).toBe(403);
    const made = await ask('POST', path, { headers: ada, payload });
    expect(made.status).toBe(201);
    const { secret, credential } = made.body;
    expect(secret).toMatch(/^phx_[\w-]{32}$/);
    expect(credential.key).toBeUndefined();
    expect(credential).toMatchObject({
      hint: secret.slice(-4),
      created_by: 'user:default/ada',
    });
    const client = clientOf(service);
    const count = async () =>
      (await client.query({ select: ['count()'] }, secret)).status;
    expect(await count()).toBe(200);

    const rows = await database.knex('credentials').select();
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(JSON.stringify(rows)).not.toContain(API_TOKEN);
    expect(rows.map(({ sha256 }) => sha256)).toContain(
      createHash('sha256').update(PROJECT_KEY).digest('hex'),
    );

    const own = `${path}/${credential.id}`;
    expect((await ask('DELETE', own, { headers: grace })).status).toBe(403);
    expect((await ask('DELETE', own, { headers: ada })).status).toBe(200);
    expect(await count()).toBe(401);
    expect((await ask('DELETE', own, { headers: ada })).status).toBe(404);
    const { body } = await ask('GET', path, { headers: grace });
    expect(body.credentials).toHaveLength(2);
    const [{ id }] = body.credentials;
    expect(
      (await ask('DELETE', `${path}/${id}`, { headers: ada })).status,
    ).toBe(404);
  });

  it('have project keys, which are public: shown to readers until they are replaced', async () => {
    const path = '/shop/credentials';
    const keys = async () => {
      const { body } = await ask('GET', path, { headers: grace });
      return body.credentials.flatMap(({ key }: { key?: string }) => key ?? []);
    };
    expect(await keys()).toEqual([PROJECT_KEY]);
    const { body } = await ask('POST', path, {
      headers: ada,
      payload: { kind: 'capture', name: 'web' },
    });
    const { secret, credential } = body;
    expect(secret).toMatch(/^phc_[\w-]{32}$/);
    expect(credential.key).toBe(secret);
    expect(await keys()).toEqual([secret, PROJECT_KEY]);
    const client = clientOf(service);
    expect((await client.capture(event, secret)).status).toBe(200);
    const rotated = await ask('POST', `${path}/${credential.id}/rotate`, {
      headers: ada,
    });
    const fresh = rotated.body.secret;
    expect(await keys()).toEqual([fresh, PROJECT_KEY]);
    expect((await client.capture(event, secret)).status).toBe(401);
    expect((await client.capture(event, fresh)).status).toBe(200);
  });

  it('have tokens that expire', async () => {
    const path = '/shop/credentials';
    const make = (more: object) =>
      ask('POST', path, {
        headers: ada,
        payload: { kind: 'query', name: 'job', ...more },
      });
    for (const more of [
      { expires_at: '2020-01-01T00:00:00Z' },
      { expires_at: 'soon' },
      { expires_at: '2999-01-01T00:00:00Z', kind: 'capture' },
    ]) {
      expect(await make(more)).toMatchObject({
        status: 400,
        body: { attr: 'expires_at' },
      });
    }
    const { status, body } = await make({ expires_at: '2999-01-01T00:00:00Z' });
    expect(status).toBe(201);
    expect(body.credential.expires_at).toBe('2999-01-01T00:00:00.000Z');
    const count = async () =>
      (await clientOf(service).query({ select: ['count()'] }, body.secret))
        .status;
    expect(await count()).toBe(200);
    const rotated = await ask('POST', `${path}/${body.credential.id}/rotate`, {
      headers: ada,
    });
    expect(rotated.body.credential.expires_at).toBe('2999-01-01T00:00:00.000Z');
    expect(await count()).toBe(401);
  });

  it('have tokens that are limited to their scopes and can be rotated', async () => {
    const path = '/shop/credentials';
    const make = (payload: object) =>
      ask('POST', path, { headers: ada, payload });
    const wrong = { kind: 'capture', name: 'web', scopes: ['query'] };
    expect((await make(wrong)).status).toBe(400);
    const unknown = { kind: 'query', name: 'job', scopes: ['everything'] };
    expect((await make(unknown)).status).toBe(400);
    const { body: made } = await make({
      kind: 'query',
      name: 'nightly export',
      scopes: ['export'],
    });
    expect(made.credential.scopes).toEqual(['export']);
    const statusOf = async (token: string, route: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await ask('GET', `/shop/${route}`, { headers })).status;
    };
    expect(await statusOf(made.secret, 'persons')).toBe(403);
    const asked = await clientOf(service).query(
      { select: ['count()'] },
      made.secret,
    );
    expect(asked.status).toBe(403);
    const download = (token: string) =>
      service.app.inject({
        url: '/api/projects/shop/export',
        headers: { authorization: `Bearer ${token}` },
      });
    expect((await download(made.secret)).statusCode).toBe(200);

    const rotate = `${path}/${made.credential.id}/rotate`;
    expect((await ask('POST', rotate, { headers: grace })).status).toBe(403);
    const { status, body: fresh } = await ask('POST', rotate, { headers: ada });
    expect(status).toBe(201);
    expect(fresh.credential).toMatchObject({
      name: 'nightly export',
      scopes: ['export'],
    });
    expect((await download(made.secret)).statusCode).toBe(401);
    expect((await download(fresh.secret)).statusCode).toBe(200);
    expect(await statusOf(fresh.secret, 'persons')).toBe(403);
    expect((await ask('POST', rotate, { headers: ada })).status).toBe(404);
  });

  it('can be queried by users, and only by their own tokens', async () => {
    await clientOf(service).capture(event);
    const payload = { query: { kind: 'EventsQuery', select: ['count()'] } };
    const headersOf = (token: string) => ({ authorization: `Bearer ${token}` });
    for (const [path, headers, status] of [
      ['/shop/query', grace, 200],
      ['/shop/query', headersOf(API_TOKEN), 200],
      ['/other/query', headersOf(API_TOKEN), 403],
      ['/nothing/query', grace, 404],
      ['/shop/query', {}, 401],
    ] as const) {
      const answer = await ask('POST', path, { headers, payload });
      expect([path, answer.status]).toEqual([path, status]);
    }
  });

  it('follow the configuration: keys that it no longer lists are revoked', async () => {
    await service.stop();
    service = await start({
      projects: [
        {
          id: 'shop',
          name: 'Web shop',
          keys: [{ name: 'new', key: 'phc_new' }],
        },
      ],
    });
    const client = clientOf(service);
    expect((await client.capture(event)).status).toBe(401);
    expect((await client.capture(event, 'phc_new')).status).toBe(200);
    const { body } = await ask('GET', '', { headers: ada });
    expect(body.projects).toMatchObject([
      { id: 'other' },
      { id: 'shop', name: 'Web shop' },
    ]);
  });

  it('follow the configuration: its tokens have the scopes that it names', async () => {
    const statuses = async (scopes?: string[]) => {
      await service.stop();
      service = await start({
        projects: [
          {
            id: 'shop',
            name: 'Shop',
            apiTokens: [{ name: 'nightly', key: 'phx_nightly', scopes }],
          },
        ],
      });
      const headers = { authorization: 'Bearer phx_nightly' };
      const payload = { query: { kind: 'EventsQuery' } };
      const answers = await Promise.all([
        ask('POST', '/shop/query', { headers, payload }),
        ask('GET', '/shop/persons', { headers }),
      ]);
      return answers.map(({ status }) => status);
    };
    expect(await statuses()).toEqual([200, 200]);
    expect(await statuses(['query'])).toEqual([200, 403]);
    expect(await statuses(['export', 'import'])).toEqual([403, 403]);
    await expect(statuses(['everything'])).rejects.toThrow(/scopes/);
    service = await start();
  });
});
