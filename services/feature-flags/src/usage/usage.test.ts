import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { anError, flagsSuite } from '../__testUtils__/flagsSuite.ts';
import {
  callsTo,
  CLIENT_TOKEN,
  startFeatureFlags,
} from '../__testUtils__/startFeatureFlags.ts';
import { featureFlags } from '../service.ts';
import { UsageStore } from '../storage/UsageStore.ts';

describe.each(testDatabaseClients())('usage on %s', client => {
  const suite = flagsSuite(client);

  it('returns 202 without a body, and sums reports and applications', async () => {
    await suite.calls.create('checkout');
    const first = await suite.calls.report('checkout', { yes: 3, no: 1 });
    expect([first.status, first.text]).toEqual([202, '']);
    await suite.calls.report('checkout', { yes: 2, no: 0, appName: 'app' });
    await suite.calls.report('nobody-knows', { yes: 1, no: 1 });
    const { status, body } = await suite.calls.admin(
      'GET',
      '/metrics/features/checkout',
    );
    expect(status).toBe(200);
    expect(body).toEqual({
      featureName: 'checkout',
      lastHourUsage: { yes: 5, no: 1 },
      seenApplications: ['app', 'web'],
    });
    const unknown = await suite.calls.admin(
      'GET',
      '/metrics/features/nobody-knows',
    );
    expect([unknown.status, unknown.body.name]).toEqual([404, 'NotFoundError']);
  });

  it('does not count flags of other projects for a token of one project', async () => {
    await suite.calls.create('pay', { project: 'payments' });
    await suite.calls.create('find', { project: 'search' });
    const { body } = await suite.calls.admin('POST', '/api-tokens', {
      tokenName: 'payments',
      type: 'client',
      projects: ['payments'],
    });
    const now = new Date().toISOString();
    const { status } = await suite.calls.send('POST', '/api/client/metrics', {
      token: body.secret,
      payload: {
        appName: 'shop',
        instanceId: 'one',
        bucket: {
          start: now,
          stop: now,
          toggles: { pay: { yes: 1, no: 0 }, find: { yes: 1, no: 0 } },
        },
      },
    });
    expect(status).toBe(202);
    const counted = async (flag: string) =>
      (await suite.calls.admin('GET', `/metrics/features/${flag}`)).body
        .lastHourUsage;
    expect(await counted('pay')).toEqual({ yes: 1, no: 0 });
    expect(await counted('find')).toEqual({ yes: 0, no: 0 });
  });

  it('returns usage by hour and by day, and of the last hour', async () => {
    await suite.calls.create('checkout');
    const now = Date.now();
    const at = (hoursAgo: number) => new Date(now - hoursAgo * 3_600_000);
    await suite.calls.report('checkout', { yes: 1, no: 0, at: at(0) });
    await suite.calls.report('checkout', { yes: 10, no: 2, at: at(2) });
    await suite.calls.report('checkout', { yes: 100, no: 0, at: at(24 * 100) });
    await suite.calls.report('checkout', { yes: 1, no: 1, at: at(-5) });
    const { body } = await suite.calls.admin(
      'GET',
      '/metrics/features/checkout',
    );
    expect(body.lastHourUsage).toEqual({ yes: 2, no: 1 });
    const { body: hours } = await suite.calls.admin(
      'GET',
      '/metrics/features/checkout/usage?interval=hour&count=3',
    );
    expect(hours.usage).toEqual([
      { timestamp: expect.stringMatching(/:00:00\.000Z$/), yes: 10, no: 2 },
      { timestamp: expect.any(String), yes: 0, no: 0 },
      { timestamp: expect.any(String), yes: 2, no: 1 },
    ]);
    const { body: all } = await suite.calls.admin(
      'GET',
      '/metrics/usage?interval=day&count=2',
    );
    expect(all.features).toHaveLength(1);
    const sum = all.features[0].usage.reduce(
      (total: number, { yes }: { yes: number }) => total + yes,
      0,
    );
    expect(sum).toBe(12);
  });

  it('accepts what released SDKs send', async () => {
    const now = Date.now();
    const sent: [object, { yes: number; no: number }][] = [
      [{}, { yes: 0, no: 0 }],
      [
        { bucket: { toggles: { checkout: { yes: 2.4, no: '3' } } } },
        { yes: 2, no: 3 },
      ],
      [{ bucket: { toggles: { checkout: { yes: 4 } } } }, { yes: 6, no: 3 }],
      [
        {
          bucket: {
            start: now - 1_000,
            stop: now / 1_000,
            toggles: { checkout: { yes: 1, no: null } },
          },
        },
        { yes: 7, no: 3 },
      ],
      [
        {
          bucket: {
            toggles: { checkout: { no: 1 }, a: { yes: 'many' }, b: 3 },
          },
        },
        { yes: 7, no: 4 },
      ],
    ];
    await suite.calls.create('checkout');
    for (const [report, counted] of sent) {
      const { status } = await suite.calls.client('POST', '/metrics', {
        appName: 'web'.repeat(100),
        ...report,
      });
      expect(status).toBe(202);
      const { body } = await suite.calls.admin(
        'GET',
        '/metrics/features/checkout',
      );
      expect([report, body.lastHourUsage]).toEqual([report, counted]);
    }
    const { text } = await suite.calls.send('GET', '/metrics');
    expect(text).toContain(
      'feature_flags_usage_lost_total{reason="unreadable"} 2',
    );
  });

  it('accepts reports of many instances, only of its own environment', async () => {
    await suite.calls.create('checkout');
    const { status, text } = await suite.calls.client('POST', '/metrics/bulk', {
      applications: [
        { appName: 'shop', instanceId: 'one', environment: 'development' },
      ],
      metrics: ['development', 'production', undefined].map(environment => ({
        featureName: 'checkout',
        appName: 'shop',
        environment,
        yes: 1,
        no: 2,
      })),
    });
    expect([status, text]).toEqual([202, '']);
    const { body } = await suite.calls.admin(
      'GET',
      '/metrics/features/checkout',
    );
    expect(body.lastHourUsage).toEqual({ yes: 2, no: 4 });
    expect(body.seenApplications).toEqual(['shop']);
  });

  it('adds up the hours of a day in the database', async () => {
    const { database, dispose } = await openTestDatabase(client, featureFlags);
    const service = await startFeatureFlags({ database });
    await callsTo(service).create('checkout');
    const day = 86_400_000;
    const store = new UsageStore(database);
    const record = (startsAt: number) => ({
      flag: 'checkout',
      environment: 'development',
      span: 'hour' as const,
      startsAt,
      appName: 'web',
      yes: 1,
      no: 2,
    });
    await store.add([0, 1, 23, 24].map(hour => record(day + hour * 3_600_000)));
    const query = { environment: undefined, span: 'hour', from: 0 } as const;
    const days = [
      { startsAt: day, yes: 3, no: 6 },
      { startsAt: 2 * day, yes: 1, no: 2 },
    ];
    expect(await store.seriesOfAll({ ...query, length: day })).toEqual(
      new Map([['checkout', days]]),
    );
    expect(
      await store.series({ flag: 'checkout', ...query, length: day }),
    ).toEqual(days);
    expect(await store.series({ flag: 'checkout', ...query })).toHaveLength(4);
    await service.stop();
    await dispose();
  });

  it('adds up the usage of all environments for `*`', async () => {
    await suite.calls.create('checkout');
    const created = await suite.calls.admin('POST', '/api-tokens', {
      tokenName: 'production',
      type: 'client',
      environment: 'production',
    });
    const now = new Date().toISOString();
    for (const token of [CLIENT_TOKEN, created.body.secret]) {
      const { status } = await suite.calls.send('POST', '/api/client/metrics', {
        token,
        payload: {
          appName: 'shop',
          bucket: {
            start: now,
            stop: now,
            toggles: { checkout: { yes: 3, no: 1 } },
          },
        },
      });
      expect(status).toBe(202);
    }
    const counted = async (query: string) => {
      const read = (path: string) =>
        suite.calls.admin('GET', `/metrics${path}${query}`);
      const one = await read('/features/checkout');
      const series = await read('/features/checkout/usage');
      const all = await read('/usage');
      return [
        one.body.lastHourUsage.yes,
        series.body.usage.at(-1).yes,
        all.body.features[0].usage.at(-1).yes,
      ];
    };
    expect(await counted('')).toEqual([3, 3, 3]);
    expect(await counted('?environment=production')).toEqual([3, 3, 3]);
    expect(await counted('?environment=*')).toEqual([6, 6, 6]);
  });
});

describe.each(testDatabaseClients())('reports on %s', client => {
  const suite = flagsSuite(client, 'block');

  it.each<[string, object]>([
    ['no appName', { bucket: {} }],
    [
      'a negative count',
      {
        appName: 'a',
        bucket: {
          start: '2026-11-21T10:00:00Z',
          stop: '2026-11-21T10:01:00Z',
          toggles: { a: { yes: -1, no: 0 } },
        },
      },
    ],
    [
      'an end before its start',
      {
        appName: 'a',
        bucket: {
          start: '2026-11-21T10:02:00Z',
          stop: '2026-11-21T10:01:00Z',
          toggles: {},
        },
      },
    ],
    [
      'a time that is none',
      { appName: 'a', bucket: { start: 'x', stop: 'y', toggles: {} } },
    ],
  ])('returns 400 for %s', async (_what, payload) => {
    const response = await suite.calls.client('POST', '/metrics', payload);
    expect(response.status).toBe(400);
    expect(response.body).toEqual(anError('BadDataError'));
  });

  it.each([
    ['2016-12-31T23:59:60Z', 400],
    ['2026-11-21T10:00:00+05:30', 202],
    ['2026-11-21T10:00:00+05', 400],
    ['2026-11-21T10:00:00', 202],
    ['2026-11-21', 202],
  ])('responds to the time %s with %d', async (time, status) => {
    const report = await suite.calls.client('POST', '/metrics', {
      appName: 'a',
      bucket: { start: time, stop: time, toggles: {} },
    });
    expect(report.status).toBe(status);
    const registered = await suite.calls.client('POST', '/register', {
      appName: 'a',
      strategies: [],
      started: time,
      interval: 1,
    });
    expect(registered.status).toBe(status);
  });

  it('accepts a report without usage of flags', async () => {
    const response = await suite.calls.client('POST', '/metrics', {
      appName: 'a',
      impactMetrics: [],
    });
    expect(response.status).toBe(202);
  });
});

it.each(testDatabaseClients())(
  'registers many instances at once on %s, each of them once',
  async client => {
    const { database, dispose } = await openTestDatabase(client, featureFlags);
    const service = await startFeatureFlags({
      database,
      config: { pollMs: 60_000 },
    });
    const { admin, client: send } = callsTo(service);
    let statements = 0;
    database.knex.on('query', () => {
      statements += 1;
    });
    const response = await send('POST', '/metrics/bulk', {
      applications: Array.from({ length: 900 }, (_, index) => ({
        appName: 'shop',
        instanceId: `shop-${index % 600}`,
      })),
      metrics: [],
    });
    expect(response.status).toBe(202);
    expect(statements).toBeLessThan(20);
    const { body } = await admin('GET', '/metrics/applications');
    expect(body.applications).toMatchObject([
      { appName: 'shop', instances: 600 },
    ]);
    await service.stop();
    await dispose();
  },
);

it('does not query the database for each of many unknown flags in a report', async () => {
  const { database, dispose } = await openTestDatabase('sqlite', featureFlags);
  const service = await startFeatureFlags({
    database,
    config: { pollMs: 60_000 },
  });
  const { admin, create, send } = callsTo(service);
  await create('checkout');
  await create('old');
  await admin('DELETE', '/features/old');
  const made = Array.from({ length: 20_000 }, (_, index) => `made-up-${index}`);
  const toggles = Object.fromEntries(
    [...made, 'checkout', 'old'].map(name => [name, { yes: 1, no: 2 }]),
  );
  let statements = 0;
  database.knex.on('query', () => {
    statements += 1;
  });
  const now = new Date().toISOString();
  const response = await send('POST', '/api/client/metrics', {
    token: CLIENT_TOKEN,
    payload: { appName: 'web', bucket: { start: now, stop: now, toggles } },
  });
  expect(response.status).toBe(202);
  expect(statements).toBeLessThan(10);
  for (const name of ['checkout', 'old']) {
    const { body } = await admin('GET', `/metrics/features/${name}`);
    expect(body.lastHourUsage).toEqual({ yes: 1, no: 2 });
  }
  await service.stop();
  await dispose();
});
