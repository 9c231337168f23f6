import { testDatabaseClients } from '@slipway/service-kit/testing';
import { flagsSuite } from '../__testUtils__/flagsSuite.ts';
import { CLIENT_TOKEN } from '../__testUtils__/startFeatureFlags.ts';

const HOUR = 3_600_000;
const ago = (hours: number) =>
  new Date(Date.now() - hours * HOUR).toISOString();

const gift = {
  name: 'demo.gift-cards',
  createdAt: ago(300),
  createdBy: 'user:demo/mira',
  changes: [
    { at: ago(200), by: 'user:demo/mira', enabled: true },
    { at: ago(100), by: 'user:demo/jonas', enabled: false },
    { at: ago(80), by: 'user:demo/mira', enabled: true },
  ],
  usage: [{ at: ago(3), appName: 'shop', yes: 7, no: 3 }],
};

const path = '/api/admin/projects/demo';

/** Returns a function that sends requests as an admin to a suite's service. */
const adminOf =
  (suite: ReturnType<typeof flagsSuite>) =>
  (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
    suite.service.app
      .inject({
        method,
        url,
        headers: { authorization: '*:*.test-admin-token' },
        ...(payload && { payload }),
      })
      .then(response => ({
        status: response.statusCode,
        body: response.body === '' ? undefined : response.json(),
      }));

describe.each(testDatabaseClients())('past flags on %s', client => {
  const suite = flagsSuite(client);
  const admin = adminOf(suite);
  beforeEach(() => admin('POST', '/api/admin/projects', { id: 'demo' }));

  it('are imported once each, with their history and usage', async () => {
    const features = [gift];
    expect(await admin('POST', `${path}/imports`, { features })).toEqual({
      status: 201,
      body: { imported: 1 },
    });
    const again = await admin('POST', `${path}/imports`, { features });
    expect(again.body).toEqual({ imported: 0 });

    const flag = await admin('GET', '/api/admin/features/demo.gift-cards');
    expect(flag.body).toMatchObject({ enabled: true, project: 'demo' });
    const { body } = await admin(
      'GET',
      '/api/admin/events?feature=demo.gift-cards',
    );
    const times = body.events.map(
      ({ createdAt }: { createdAt: string }) => createdAt,
    );
    expect(times.slice(0, 4)).toEqual([
      ...gift.changes.map(({ at }) => at).reverse(),
      gift.createdAt,
    ]);
    const usage = await admin(
      'GET',
      '/api/admin/metrics/features/demo.gift-cards/usage',
    );
    const counted = usage.body.usage.filter(
      ({ yes }: { yes: number }) => yes > 0,
    );
    expect(counted).toMatchObject([{ yes: 7, no: 3 }]);
  });

  it('have a state, a history and usage of their own in each environment', async () => {
    const { status } = await admin('POST', '/api/admin/environments', {
      name: 'production',
      type: 'production',
    });
    expect([201, 409]).toContain(status);
    const production = { environment: 'production' };
    const feature = {
      ...gift,
      percentage: 25,
      changes: [
        { at: ago(250), by: 'user:demo/mira', enabled: true },
        ...gift.changes
          .slice(0, 2)
          .map(change => ({ ...change, ...production })),
      ],
      usage: gift.usage.map(usage => ({ ...usage, ...production })),
    };
    const imported = await admin('POST', `${path}/imports`, {
      features: [feature],
    });
    expect(imported.status).toBe(201);
    const { body: flag } = await admin(
      'GET',
      '/api/admin/projects/demo/features/demo.gift-cards',
    );
    expect(
      flag.environments.map(
        (each: { name: string; enabled: boolean; strategies: object[] }) => [
          each.name,
          each.enabled,
          each.strategies.length,
        ],
      ),
    ).toEqual(
      expect.arrayContaining([
        ['development', true, 1],
        ['production', false, 1],
      ]),
    );
    const { body } = await admin(
      'GET',
      '/api/admin/events?feature=demo.gift-cards',
    );
    expect(
      body.events
        .slice(0, 4)
        .map(({ environment }: { environment: string }) => environment),
    ).toEqual(['production', 'production', 'development', 'development']);
    const usage = await admin(
      'GET',
      '/api/admin/metrics/features/demo.gift-cards/usage?environment=production',
    );
    expect(usage.body.usage.some(({ yes }: { yes: number }) => yes === 7)).toBe(
      true,
    );
  });

  it('are not added to a protected environment while they are on there', async () => {
    await admin('POST', '/api/admin/environments', {
      name: 'production',
      type: 'production',
    });
    await admin('PUT', '/api/admin/environments/production', {
      protected: true,
    });
    const changed = (enabled: boolean) => ({
      ...{ at: ago(50), by: 'user:demo/mira' },
      ...{ environment: 'production', enabled },
    });
    const imported = async (changes: object[]) =>
      (
        await admin('POST', `${path}/imports`, {
          features: [{ ...gift, changes: [...gift.changes, ...changes] }],
        })
      ).status;
    expect(await imported([changed(true)])).toBe(403);
    expect(
      (await admin('GET', `/api/admin/features/${gift.name}`)).status,
    ).toBe(404);
    expect(await imported([changed(true), changed(false)])).toBe(201);
  });

  it('take times without a zone as UTC, and a comma before a fraction', async () => {
    const features = [
      { ...gift, createdAt: '2026-11-20T10:00:00,5Z', changes: [], usage: [] },
      {
        ...{ ...gift, name: 'demo.other', changes: [], usage: [] },
        createdAt: '2026-11-20T10:00:00',
      },
    ];
    expect(await admin('POST', `${path}/imports`, { features })).toMatchObject({
      status: 201,
    });
    const createdAt = async (name: string) =>
      (await admin('GET', `/api/admin/features/${name}`)).body.createdAt;
    expect(await createdAt(gift.name)).toBe('2026-11-20T10:00:00.500Z');
    expect(await createdAt('demo.other')).toBe('2026-11-20T10:00:00.000Z');
  });

  it('are deleted permanently once they are archived; others are kept', async () => {
    await admin('POST', `${path}/imports`, { features: [gift] });
    await admin('POST', '/api/admin/features', { name: 'other' });
    const archive = `${path}/archive`;
    expect((await admin('DELETE', archive)).body).toEqual({ deleted: 0 });
    const references = () =>
      suite.calls.admin('GET', '/features/demo.gift-cards/code-references');
    await suite.calls.admin('PUT', '/code-references', {
      repository: 'https://forge.example/shop',
      commit: 'a'.repeat(40),
      references: [
        { flag: 'demo.gift-cards', path: 'a.ts', line: 1, text: 'x' },
      ],
    });
    expect((await references()).body.references).toHaveLength(1);
    await admin('DELETE', '/api/admin/features/demo.gift-cards');
    expect((await admin('DELETE', archive)).body).toEqual({ deleted: 1 });
    expect((await admin('DELETE', path)).status).toBeLessThan(300);
    const { body } = await admin('GET', '/api/admin/events');
    expect(
      body.events.map(
        ({ featureName }: { featureName: string }) => featureName,
      ),
    ).not.toContain('demo.gift-cards');
    expect((await admin('GET', '/api/admin/features/other')).status).toBe(200);
    // A new flag with that name inherits nothing from the old one.
    await suite.calls.create('demo.gift-cards');
    expect((await references()).body.references).toEqual([]);
  });

  it('are gone for SDKs that follow changes, even if those missed that they were archived', async () => {
    await admin('POST', `${path}/imports`, { features: [gift] });
    const follow = async (etag?: string) => {
      const { headers, body } = await suite.calls.send(
        'GET',
        '/api/client/delta',
        {
          token: CLIENT_TOKEN,
          headers: etag ? { 'if-none-match': etag } : {},
        },
      );
      return { etag: String(headers.etag), events: body?.events };
    };
    const { etag } = await follow();
    await admin('DELETE', '/api/admin/features/demo.gift-cards');
    await admin('DELETE', `${path}/archive`);
    const next = await follow(etag);
    expect(next.events).toMatchObject([{ type: 'hydration', features: [] }]);
    expect((await follow(next.etag)).events).toBeUndefined();
  });
});

describe.each(testDatabaseClients())('imports of past flags on %s', client => {
  const suite = flagsSuite(client, 'block');
  const admin = adminOf(suite);
  beforeAll(() => admin('POST', '/api/admin/projects', { id: 'demo' }));

  it.each([
    [{ ...gift, createdAt: '2999-01-01T00:00:00Z' }],
    [{ ...gift, name: 'not a name' }],
    [{ ...gift, usage: [{ ...gift.usage[0], environment: 'nowhere' }] }],
    [{ ...gift, changes: [{ at: 'soon', by: 'x', enabled: true }] }],
  ])('refuses what cannot be', async feature => {
    const { status } = await admin('POST', `${path}/imports`, {
      features: [feature],
    });
    expect(status).toBe(400);
  });

  it('require an existing project and an admin', async () => {
    const nowhere = await admin('POST', '/api/admin/projects/x/imports', {
      features: [gift],
    });
    expect(nowhere.status).toBe(404);
    const url = `${path}/imports`;
    const rejected = await suite.service.app.inject({ method: 'POST', url });
    expect(rejected.statusCode).toBe(401);
  });
});
