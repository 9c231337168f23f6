import {
  mockCredentials,
  mockServices,
  TestDatabases,
} from '@backstage/backend-test-utils';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import { DORA_METRICS } from '@slipway/plugin-delivery-lake-common';
import { expectedMetrics } from './__testUtils__/expectedMetrics';
import { fillLake } from './__testUtils__/fillLake';
import { randomServices } from './__testUtils__/randomServices';
import { RecordedService } from './__testUtils__/records';
import { startReadRoutes } from './__testUtils__/startReadRoutes';

const databases = TestDatabases.create({ ids: ['SQLITE_3', 'POSTGRES_18'] });

const NOW = Date.parse('2026-11-20T10:00:00Z');
const day = (date: string) => Date.parse(`${date}T00:00:00Z`);
const LAKE = randomServices(
  { start: day('2026-08-01'), end: NOW },
  { seed: 11, deploymentsEach: 200 },
);

const at = (date: string, time = '12:00') => Date.parse(`${date}T${time}:00Z`);
const HOUR = 3_600_000;

/** Small enough to know every number by heart. */
const SMALL: RecordedService[] = [
  {
    name: 'till',
    entityRef: 'component:default/till',
    team: 'group:default/payments',
    project: 'system:default/shop',
    deployments: [
      { finishedAt: at('2026-04-20'), leadTimes: [10 * HOUR] },
      { finishedAt: at('2026-05-04'), leadTimes: [HOUR, 5 * HOUR, null] },
      {
        finishedAt: at('2026-05-05'),
        failure: 'guess',
        leadTimes: [2 * HOUR],
        recovery: { endedAt: at('2026-05-05', '12:45'), duration: HOUR * 0.75 },
      },
      { finishedAt: at('2026-05-06'), rework: 'declared', failure: 'incident' },
      { finishedAt: at('2026-05-07') },
    ],
    outages: [{ endedAt: at('2026-05-05', '12:45'), duration: HOUR / 2 }],
  },
];

describe.each(databases.eachSupportedId())('on %s', databaseId => {
  async function start(
    services: RecordedService[] = SMALL,
    options: Partial<Parameters<typeof startReadRoutes>[0]> = {},
    timeZone = 'UTC',
  ) {
    return startReadRoutes({
      now: NOW,
      knex: await databases.init(databaseId),
      fill: db => fillLake(db, timeZone, services),
      ...options,
      config: { timeZone, ...options.config },
    });
  }

  it('answers the contract’s fields, and what stands behind them', async () => {
    const { get } = await start();
    const { status, body } = await get(
      '/dora-metrics?team=payments&startDate=2026-05-01&endDate=2026-05-31',
    );

    expect(status).toBe(200);
    expect(body).toEqual({
      project: 'all',
      team: 'payments',
      period: { startDate: '2026-05-01', endDate: '2026-05-31' },
      metrics: {
        deploymentFrequency: {
          value: 0.9032,
          unit: 'deploys/week',
          trend: 'increasing',
          performance: 'medium',
          samples: 4,
          previous: { value: 0.2258, samples: 1 },
        },
        leadTimeForChanges: {
          value: 2,
          unit: 'hours',
          trend: 'decreasing',
          performance: 'elite',
          samples: 3,
          previous: { value: 10, samples: 1 },
        },
        changeFailureRate: {
          value: 50,
          unit: 'percent',
          trend: 'increasing',
          performance: 'low',
          samples: 4,
          previous: { value: 0, samples: 1 },
        },
        timeToRestoreService: {
          value: 0.5,
          unit: 'hours',
          trend: 'stable',
          performance: 'elite',
          samples: 1,
          previous: { value: 0, samples: 0 },
        },
      },
      beyond: {
        failedDeploymentRecoveryTime: expect.objectContaining({ value: 0.75 }),
        deploymentReworkRate: expect.objectContaining({ value: 25 }),
        failures: { linked: 1, guessed: 1 },
        changesWithoutLeadTime: 1,
        openIncidents: 0,
        levels: 'table',
        timeZone: 'UTC',
      },
    });
  });

  it('derives what is due of the scope, and nothing else, before it reads', async () => {
    const { get, deriver } = await start(LAKE);
    await get('/dora-metrics');
    await get('/dora-series?team=search');
    await get('/breakdown?project=nowhere');
    await get('/improvements?service=service-4');

    expect(deriver.drained).toEqual(['all', [3], [5]]);
  });

  it.each([
    ['', () => true],
    ['?team=all&project=all', () => true],
    [
      '?team=payments',
      (s: RecordedService) => s.team === 'group:default/payments',
    ],
    [
      '?team=Group:default/Payments',
      (s: RecordedService) => s.team === 'group:default/payments',
    ],
    [
      '?team=emea/search',
      (s: RecordedService) => s.team === 'group:emea/search',
    ],
    [
      '?project=system:shop',
      (s: RecordedService) => s.project === 'system:default/shop',
    ],
    [
      '?project=shop&team=payments',
      (s: RecordedService) => s.name === 'service-0',
    ],
    ['?service=service-4', (s: RecordedService) => s.name === 'service-4'],
    ['?service=The%20till', (s: RecordedService) => s.name === 'service-1'],
    ['?service=service-4&team=payments', () => false],
    ['?team=nobody', () => false],
    ['?team=:', () => false],
  ])('asks of the right services for %j', async (query, whose) => {
    const { get } = await start(LAKE, {
      directory: {
        'The till': {
          match: 'known',
          ownership: {
            entityRef: 'component:default/service-1',
            team: null,
            project: null,
          },
        },
      },
    });
    const { status, body } = await get(`/dora-metrics${query}`);
    const expected = expectedMetrics(LAKE.filter(whose), {
      start: day('2026-10-21'),
      end: day('2026-11-21'),
    });

    expect(status).toBe(200);
    expect(body.period).toEqual({
      startDate: '2026-10-21',
      endDate: '2026-11-20',
    });
    const answered = { ...body.metrics, ...body.beyond };
    for (const metric of DORA_METRICS) {
      const { value, samples } = expected[metric];
      expect(answered[metric]).toMatchObject({
        samples,
        value: Math.round(value * 10_000) / 10_000,
      });
      if (samples === 0) {
        expect(answered[metric]).toMatchObject({
          value: 0,
          trend: 'stable',
          performance: 'low',
        });
      }
    }
  });

  it('gives project, team and service back as they came', async () => {
    const { get } = await start();
    const { body } = await get(
      '/dora-metrics?project=Shop&team=group:default/payments&service=till',
    );
    expect(body).toMatchObject({
      project: 'Shop',
      team: 'group:default/payments',
      service: 'till',
    });
    const empty = await get('/dora-metrics?project=&team=');
    expect(empty.body).toMatchObject({ project: 'all', team: 'all' });
    expect(empty.body).not.toHaveProperty('service');
  });

  it.each([
    ['/dora-metrics?startDate=yesterday', /^startDate: must be/],
    ['/dora-metrics?endDate=2026-02-30', /^endDate: must be/],
    ['/dora-metrics?startDate=2026-05-02&endDate=2026-05-01', /^startDate: /],
    ['/dora-metrics?team=a&team=b', /^team: must be given once/],
    ['/dora-metrics?project=a%00b', /^project: must not contain/],
    [`/dora-metrics?service=${'a'.repeat(513)}`, /^service: must have/],
    [
      '/dora-series?interval=year',
      /^interval: must be one of day, week, month/,
    ],
    ['/dora-series?interval=day&startDate=2020-01-01', /^interval: /],
    ['/breakdown?by=person', /^by: must be one of team, project, service/],
    ['/breakdown?limit=0', /^limit: must be a whole number from 1 to 200/],
    ['/improvements?endDate=now', /^endDate: /],
  ])('answers 400 to %s', async (path, message) => {
    const { get } = await start([]);
    const { status, body } = await get(path);
    expect(status).toBe(400);
    expect(body).toEqual({ error: expect.stringMatching(message) });
  });

  it('gives a series whose points are the metrics of their time', async () => {
    const { get } = await start(LAKE, {}, 'Europe/Berlin');
    const { body } = await get(
      '/dora-series?startDate=2026-10-22&interval=week&team=payments',
    );

    expect(body).toMatchObject({
      period: { startDate: '2026-10-22', endDate: '2026-11-20' },
      interval: 'week',
      timeZone: 'Europe/Berlin',
    });
    expect(
      body.points.map((point: { startDate: string; partial: boolean }) => [
        point.startDate,
        point.partial,
      ]),
    ).toEqual([
      ['2026-10-22', true],
      ['2026-10-26', false],
      ['2026-11-02', false],
      ['2026-11-09', false],
      ['2026-11-16', true],
    ]);
    const payments = LAKE.filter(({ team }) => team?.endsWith('/payments'));
    for (const point of body.points) {
      const period = {
        start: Date.parse(point.start),
        end: Date.parse(point.end),
      };
      const expected = expectedMetrics(payments, period);
      for (const metric of DORA_METRICS) {
        const { value, samples } = expected[metric];
        expect(point.metrics[metric]).toEqual({
          samples,
          value: samples ? Math.round(value * 10_000) / 10_000 : null,
        });
      }
      expect(point.provisional).toBe(period.end > NOW - 24 * HOUR);
    }
  });

  it('has no value where there is nothing', async () => {
    const { get } = await start();
    const { body } = await get(
      '/dora-series?startDate=2026-05-08&endDate=2026-05-08&interval=day',
    );
    expect(body.points).toHaveLength(1);
    expect(body.points[0]).toMatchObject({
      partial: false,
      provisional: false,
    });
    expect(Object.values(body.points[0].metrics)).toEqual(
      DORA_METRICS.map(() => ({ value: null, samples: 0 })),
    );
  });

  it.each([
    ['team', ['payments', 'search', 'group:emea/search']],
    ['project', ['shop', 'till']],
    ['service', LAKE.map(({ name }) => name)],
  ])(
    'breaks down by %s into what can be asked for alone',
    async (by, names) => {
      const { get } = await start(LAKE);
      const { body } = await get(`/breakdown?by=${by}`);

      expect(
        body.items.map(({ name }: { name: string }) => name).sort(),
      ).toEqual([...names].sort());
      expect(body).toMatchObject({ by, truncated: false });
      const deployments = body.items.map(
        (item: { metrics: { deploymentFrequency: { samples: number } } }) =>
          item.metrics.deploymentFrequency.samples,
      );
      expect(deployments).toEqual([...deployments].sort((a, b) => b - a));
      for (const { name, metrics } of body.items) {
        const alone = await get(
          `/dora-metrics?${by}=${encodeURIComponent(name)}`,
        );
        const answered = { ...alone.body.metrics, ...alone.body.beyond };
        for (const metric of DORA_METRICS) {
          const { previous: _previous, ...shown } = answered[metric];
          expect(metrics[metric]).toEqual(shown);
        }
      }
    },
  );

  it('cuts a breakdown short and says so', async () => {
    const { get } = await start(LAKE);
    const { body } = await get('/breakdown?by=service&limit=2&team=payments');
    expect(body.items).toHaveLength(2);
    expect(body.truncated).toBe(false);
    expect(body.items[0].title).toMatch(/^Title of component:default/);
    const all = await get('/breakdown?by=service&limit=4');
    expect(all.body.truncated).toBe(true);
  });

  it('says where there is most to gain: among teams, or the services of one', async () => {
    const { get } = await start(LAKE);
    const { body } = await get('/improvements');
    expect(body.items.length).toBeGreaterThan(0);
    expect(body.items.length).toBeLessThanOrEqual(5);
    for (const item of body.items) {
      expect(item.scope.by).toBe('team');
      const { body: alone } = await get(
        `/dora-metrics?team=${encodeURIComponent(item.scope.name)}`,
      );
      const answered = { ...alone.metrics, ...alone.beyond };
      expect(answered[item.metric]).toMatchObject({
        value: item.value,
        performance: item.performance,
      });
    }
    const team = await get('/improvements?team=payments');
    for (const item of team.body.items) {
      expect(item.scope.by).toBe('service');
      expect(['service-0', 'service-1']).toContain(item.scope.name);
    }
  });

  it('ranks among the lake’s own where that is configured', async () => {
    const busy = (name: string, deployments: number) => ({
      name,
      team: `group:default/${name}`,
      deployments: Array.from({ length: deployments }, (_, index) => ({
        finishedAt: at('2026-05-02') + index * HOUR,
      })),
    });
    const { get, deriver } = await start(
      [busy('a', 1), busy('b', 2), busy('c', 3), busy('d', 4), busy('e', 0)],
      { config: { dora: { levels: 'percentile' } } },
    );
    const may = 'startDate=2026-05-01&endDate=2026-05-31';
    const level = async (query: string) => {
      const { body } = await get(`/dora-metrics?${may}&${query}`);
      expect(body.beyond.levels).toBe('percentile');
      return body.metrics.deploymentFrequency.performance;
    };

    expect(await level('team=a')).toBe('low');
    expect(await level('team=b')).toBe('medium');
    expect(await level('team=c')).toBe('high');
    expect(await level('team=d')).toBe('elite');
    expect(await level('team=e')).toBe('low');
    // Ten in a month are at least one a week.
    expect(await level('')).toBe('high');
    // The lake was ranked once, not at every question.
    expect(deriver.drained.filter(scope => scope === 'all')).toHaveLength(2);
  });

  it('lets in who may read, and asks before it looks at the query', async () => {
    const { call } = await start([], {
      features: [
        mockServices.permissions.factory({ result: AuthorizeResult.DENY }),
      ],
    });
    for (const path of [
      'dora-metrics',
      'dora-series',
      'breakdown',
      'improvements',
    ]) {
      const denied = await call('get', `/${path}?startDate=never`);
      expect(denied.status).toBe(403);
      expect(denied.body).toEqual({
        error: 'Permission delivery-lake.delivery.read is required',
      });
      const anonymous = await call(
        'get',
        `/${path}`,
        mockCredentials.none.header(),
      );
      expect(anonymous.status).toBe(401);
      const posted = await call('post', `/${path}`);
      expect(posted.status).toBe(405);
      expect(posted.headers.allow).toBe('GET');
    }
  });

  it('serves service tokens and periods of parts of days', async () => {
    const { call } = await start();
    const service = mockCredentials.service.header();
    const { status, body } = await call(
      'get',
      '/dora-metrics?startDate=2026-05-04T12:00:00Z&endDate=2026-05-06T12:00:00Z',
      service,
    );
    expect(status).toBe(200);
    expect(body.period).toEqual({
      startDate: '2026-05-04',
      endDate: '2026-05-06',
    });
    const expected = expectedMetrics(SMALL, {
      start: at('2026-05-04'),
      end: at('2026-05-06'),
    });
    expect(expected.deploymentFrequency).toEqual({ samples: 2, value: 7 });
    expect(body.metrics.deploymentFrequency).toMatchObject(
      expected.deploymentFrequency,
    );
  });
});
