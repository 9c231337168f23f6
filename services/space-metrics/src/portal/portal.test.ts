import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '@slipway/service-kit';
import { FakePortalApi } from '../__testUtils__/FakePortalApi.ts';
import {
  clientOf,
  startSpaceMetrics,
} from '../__testUtils__/startSpaceMetrics.ts';

const START = Date.parse('2026-11-20T12:00:00Z');
const WEEK = 'start_date=2026-11-14&end_date=2026-11-20';

let now: number;
let portal: FakePortalApi;
let service: Service;
let client: ReturnType<typeof clientOf>;

beforeEach(async () => {
  now = START;
  portal = await FakePortalApi.start();
  service = await startSpaceMetrics({
    now: () => now,
    config: {
      portal: { baseUrl: portal.baseUrl },
      portalToken: 'service-token',
    },
  });
  client = clientOf(service);
});

afterEach(async () => {
  await service.stop();
  await portal.stop();
});

const read = async (dimension: string, query = '') =>
  (await client.get(`/api/v1/metrics/space/${dimension}?${WEEK}${query}`)).body
    .data;

describe('the delivery lake', () => {
  const metrics = (deployments: number, hours: number) => ({
    deploymentFrequency: {
      value: deployments,
      unit: 'deploys/week',
      samples: 9,
    },
    leadTimeForChanges: { value: hours, unit: 'hours', samples: 20 },
  });

  beforeEach(() => {
    portal.answer('/api/delivery-lake/dora-metrics', url =>
      url.searchParams.get('endDate') === '2026-11-20'
        ? { metrics: metrics(url.searchParams.has('team') ? 7 : 14, 5.125) }
        : { metrics: metrics(7, 10) },
    );
    portal.answer('/api/delivery-lake/dora-series', url => ({
      points: [
        { startDate: '2026-11-14', metrics: metrics(1, 2) },
        {
          startDate: '2026-11-16',
          metrics: {
            deploymentFrequency: { value: null, samples: 0 },
            leadTimeForChanges: { value: null, samples: 0 },
          },
        },
      ].filter(() => url.searchParams.get('interval') === 'week'),
    }));
  });

  it('reports how often and how fast deployments are', async () => {
    const data = await read('performance');
    expect(data).toMatchObject({
      deployment_frequency: 14,
      lead_time_hours: 5.13,
      trend: 'improving',
      samples: { deployments: 9, changes: 20 },
      series: [
        {
          start: '2026-11-14',
          end: '2026-11-15',
          deployment_frequency: 1,
          lead_time_hours: 2,
        },
        { start: '2026-11-16', deployment_frequency: 0, lead_time_hours: 0 },
      ],
    });
    expect(data).not.toHaveProperty('stale');
    expect(await read('performance', '&team=red')).toMatchObject({
      deployment_frequency: 7,
    });
    expect(await read('efficiency')).toMatchObject({
      time_to_production_hours: 5.13,
    });
    expect(
      new Set(portal.requests.map(({ authorization }) => authorization)),
    ).toEqual(new Set(['Bearer service-token']));
  });

  it('is queried once a minute, and its last response is marked as stale while it is down', async () => {
    await read('performance');
    const asked = portal.requests.length;
    now += 30_000;
    await read('performance');
    expect(portal.requests).toHaveLength(asked);

    portal.down = true;
    now += 60_000;
    expect(await read('performance')).toMatchObject({
      deployment_frequency: 14,
      stale: true,
    });
    const askedAgain = portal.requests.length;
    now += 3_000;
    await read('performance');
    expect(portal.requests).toHaveLength(askedAgain);

    portal.down = false;
    now += 10_000;
    expect(await read('performance')).not.toHaveProperty('stale');
  });

  it('is not asked about teams with control characters', async () => {
    const path = `/api/v1/metrics/space/performance?${WEEK}&team=red%01`;
    expect((await client.get(path)).status).toBe(400);
    expect(portal.requests).toHaveLength(0);
  });

  it('does not prevent responses if it has never responded', async () => {
    portal.down = true;
    expect(await read('performance')).toMatchObject({
      deployment_frequency: 0,
      samples: { deployments: 0 },
      stale: true,
    });
    expect((await client.get('/api/v1/metrics/space')).status).toBe(200);
  });
});

describe('the catalog', () => {
  beforeEach(() => {
    const user = (name: string, team: string, start?: string) => ({
      kind: 'User',
      metadata: {
        name,
        ...(start && { annotations: { 'slipway.dev/start-date': start } }),
      },
      spec: { memberOf: [team] },
    });
    portal.answerUsers(() => [
      user('ada', 'group:default/red', '2026-11-10'),
      user('grace', 'blue', '2026-11-16T00:00:00Z'),
      user('alan', 'blue'),
      null,
      { metadata: {} },
    ]);
  });

  it('is read completely, however large and slow it is', async () => {
    const crowd = Array.from({ length: 1_200 }, (_, number) => ({
      kind: 'User',
      metadata: { name: `user-${number}` },
      spec: { memberOf: ['green'] },
    }));
    const path = '/api/catalog/entities/by-query';
    portal.answerUsers(() => crowd);
    const quick = portal.answerOf(path);
    portal.answer(path, async url => {
      await sleep(url.searchParams.has('cursor') ? 0 : 2_500);
      return quick(url);
    });
    await client.survey('user-1199', 5);
    expect((await read('satisfaction', '&team=green')).response_count).toBe(1);
    expect(portal.requests.filter(each => each.path === path)).toHaveLength(3);
  });

  it('provides the team of a submission that does not name one', async () => {
    await client.survey('user:default/ada', 5);
    await client.survey('grace', 3);
    await client.survey('alan', 1, { team: 'red' });
    await client.survey('nobody', 2);
    const satisfaction = async (query: string) =>
      (await read('satisfaction', query)).response_count;
    expect(await satisfaction('&team=red')).toBe(2);
    expect(await satisfaction('&team=blue')).toBe(1);
    expect(await satisfaction('')).toBe(4);
  });

  it('provides start dates, so that first commits can be timed', async () => {
    await client.events([
      {
        id: '1',
        kind: 'commit',
        user_id: 'ada',
        timestamp: '2026-11-15T06:00:00Z',
      },
      {
        id: '2',
        kind: 'commit',
        user_id: 'grace',
        timestamp: '2026-11-17T00:00:00Z',
      },
      {
        id: '3',
        kind: 'commit',
        user_id: 'alan',
        timestamp: '2026-11-17T00:00:00Z',
      },
    ]);
    expect(await read('efficiency')).toMatchObject({
      time_to_first_commit_hours: 75,
      samples: { joiners: 2 },
    });
    expect(await read('efficiency', '&team=blue')).toMatchObject({
      time_to_first_commit_hours: 24,
    });
    // An earlier commit is reported later.
    await client.events([
      {
        id: '4',
        kind: 'commit',
        user_id: 'ada',
        timestamp: '2026-11-14T00:00:00Z',
      },
    ]);
    expect(await read('efficiency', '&team=red')).toMatchObject({
      time_to_first_commit_hours: 96,
      samples: { joiners: 1 },
    });
  });
});
