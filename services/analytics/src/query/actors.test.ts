import type { Service } from '@slipway/service-kit';
import { FakePortal } from '@slipway/service-kit/testing';
import { analyticsSuite } from '../__testUtils__/analyticsSuite.ts';
import {
  API_TOKEN,
  clientOf,
  startAnalytics,
  testEngines,
} from '../__testUtils__/startAnalytics.ts';

const TRENDS = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'bought' }],
  dateRange: { date_from: '-3d' },
};
const FUNNEL = {
  kind: 'FunnelsQuery',
  series: ['opened', 'bought'].map(event => ({ kind: 'EventsNode', event })),
  dateRange: { date_from: '-3d' },
};
const ON_FRIDAY = {
  kind: 'InsightActorsQuery',
  source: TRENDS,
  series: 0,
  day: '2026-11-20',
};

describe.each(testEngines)('the people of an ActorsQuery on %s', engine => {
  const suite = analyticsSuite(engine, 'block');
  const ask = (query: object) =>
    suite.client.query({ kind: 'ActorsQuery', ...query });
  const idsOf = async (query: object) => {
    const { status, body } = await ask({ ...query, select: ['id'] });
    expect([status, body.detail]).toEqual([200, undefined]);
    return body.results.flat();
  };

  beforeAll(async () => {
    const event = (
      name: string,
      user: string,
      hour: number,
      properties: object = {},
    ) => ({
      event: name,
      distinct_id: user,
      timestamp: `2026-11-20T${String(hour).padStart(2, '0')}:00:00Z`,
      properties,
    });
    await suite.client.batch([
      event('opened', 'ada', 8),
      event('$identify', 'ada', 8, {
        $anon_distinct_id: 'device-1',
        $set: { email: 'ada_l@example.com', plan: 'pro' },
      }),
      event('bought', 'ada', 9, { plan: 'pro' }),
      event('bought', 'device-1', 10, { plan: 'pro' }),
      event('bought', 'grace', 9, {
        plan: 'free',
        $set: { name: 'Grace Hopper' },
      }),
      event('opened', 'lin', 9, { $process_person_profile: false }),
      event('bought', 'visitor', 9, { $process_person_profile: false }),
    ]);
  });

  it('are those behind a point, those with most events first', async () => {
    const { status, body } = await ask({
      source: ON_FRIDAY,
      select: ['actor', 'event_count', 'created_at'],
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      columns: ['actor', 'event_count', 'created_at'],
      results: [
        [
          {
            id: 'ada',
            distinct_ids: ['ada', 'device-1'],
            properties: { email: 'ada_l@example.com', plan: 'pro' },
            is_identified: true,
            created_at: '2026-11-20T08:00:00.000Z',
            last_seen_at: '2026-11-20T10:00:00.000Z',
          },
          2,
          '2026-11-20T08:00:00.000Z',
        ],
        [expect.objectContaining({ id: 'grace' }), 1, expect.any(String)],
        [
          {
            id: 'visitor',
            distinct_ids: ['visitor'],
            properties: {},
            is_identified: false,
            created_at: null,
            last_seen_at: null,
          },
          1,
          null,
        ],
      ],
      types: ['JSON', 'Nullable(UInt64)', "Nullable(DateTime64(3, 'UTC'))"],
      hasMore: false,
      limit: 100,
      offset: 0,
      actor_count: 3,
      missing_actors_count: 1,
    });
  });

  it('come in pages, with the number of all of them', async () => {
    const page = async (offset: number) => {
      const { body } = await ask({ source: ON_FRIDAY, limit: 2, offset });
      return [
        body.results.map(([actor]: { id: string }[]) => actor.id),
        body.hasMore,
        body.actor_count,
      ];
    };
    expect(await page(0)).toEqual([['ada', 'grace'], true, 3]);
    expect(await page(2)).toEqual([['visitor'], false, 3]);
    expect(await page(4)).toEqual([[], false, 3]);
  });

  it.each([
    ['HOPPER', ['grace']],
    ['ada_l@', ['ada']],
    ['ada%l', []],
    ['device-1', ['ada']],
    ['visit', ['visitor']],
    [' ', ['ada', 'grace', 'visitor']],
  ])('are found by a name or an id: %s', async (search, ids) => {
    expect(await idsOf({ source: ON_FRIDAY, search })).toEqual(ids);
    const { body } = await ask({ source: ON_FRIDAY, search });
    expect(body.actor_count).toBe(ids.length);
  });

  it('are found by a name that is part of very many ids', async () => {
    // Each is another id of its person.
    await suite.client.batch(
      Array.from({ length: 1_001 }, (_, number) => ({
        event: '$identify',
        distinct_id: `someone-${number}`,
        timestamp: '2026-11-10T08:00:00Z',
        properties: { $anon_distinct_id: `hopper-${number}` },
      })),
    );
    expect(await idsOf({ source: ON_FRIDAY, search: 'hopper' })).toEqual([
      'grace',
    ]);
  });

  it('are those who reached a step of a funnel, or left before it', async () => {
    const of = (funnelStep: number) =>
      idsOf({
        source: { kind: 'FunnelsActorsQuery', source: FUNNEL, funnelStep },
      });
    expect(await of(1)).toEqual(['ada', 'lin']);
    expect(await of(2)).toEqual(['ada']);
    expect(await of(-2)).toEqual(['lin']);
  });

  it('are searched in funnels and retentions, too', async () => {
    const funnel = {
      kind: 'FunnelsActorsQuery',
      source: FUNNEL,
      funnelStep: 1,
    };
    expect(await idsOf({ source: funnel, search: 'ada_l' })).toEqual(['ada']);
    const opened = { id: 'opened' };
    const retention = {
      kind: 'InsightActorsQuery',
      source: {
        kind: 'RetentionQuery',
        retentionFilter: { targetEntity: opened, returningEntity: opened },
      },
      // Yesterday, of eight days.
      interval: 6,
    };
    expect(await idsOf({ source: retention })).toEqual(['ada', 'lin']);
    expect(await idsOf({ source: retention, search: 'LI' })).toEqual(['lin']);
  });

  it('are those with a value of a breakdown', async () => {
    const of = (breakdown: string | string[]) =>
      idsOf({
        source: {
          ...ON_FRIDAY,
          source: {
            ...TRENDS,
            breakdownFilter: { breakdown: 'plan', breakdown_limit: 1 },
          },
          breakdown,
        },
      });
    expect(await of('pro')).toEqual(['ada']);
    expect(await of(['free'])).toEqual(['grace']);
    expect(await of('$$_posthog_breakdown_other_$$')).toEqual([
      'grace',
      'visitor',
    ]);
  });

  it('are those up to a point of a running total', async () => {
    const source = {
      ...TRENDS,
      trendsFilter: { display: 'ActionsLineGraphCumulative' },
    };
    const day = '2026-11-21';
    expect(await idsOf({ source: { ...ON_FRIDAY, day } })).toEqual([]);
    expect(await idsOf({ source: { ...ON_FRIDAY, source, day } })).toEqual([
      'ada',
      'grace',
      'visitor',
    ]);
  });

  const funnelOf = (more: object) => ({
    source: { kind: 'FunnelsActorsQuery', source: FUNNEL, ...more },
  });
  const trendsOf = (more: object) => ({ source: { ...ON_FRIDAY, ...more } });
  it.each([
    [{}, 'query.kind'],
    [{ source: { kind: 'HogQLQuery' } }, 'query.kind'],
    [{ source: { kind: 'InsightActorsQuery' } }, 'query.source.source'],
    [trendsOf({ source: FUNNEL }), 'query.source.source.kind'],
    [
      trendsOf({ source: { ...TRENDS, source: ON_FRIDAY } }),
      'query.source.source.source',
    ],
    [trendsOf({ day: '2026-11-01' }), 'query.source.day'],
    [trendsOf({ day: 4 }), 'query.source.day'],
    [trendsOf({ series: 1 }), 'query.source.series'],
    [trendsOf({ compare: 'previous' }), 'query.source.compare'],
    [trendsOf({ breakdown: 'pro' }), 'query.source.breakdown'],
    [
      trendsOf({
        source: { ...TRENDS, series: [{ kind: 'EventsNode', math: 'sum' }] },
      }),
      'query.source.source.series.0.math_property',
    ],
    [
      trendsOf({ source: { ...TRENDS, series: [{ kind: 'ActionsNode' }] } }),
      'query.source.source.series.0.kind',
    ],
    [
      trendsOf({
        source: { kind: 'RetentionQuery' },
        interval: 0,
        returnInterval: 8,
      }),
      'query.source.returnInterval',
    ],
    [trendsOf({ source: { kind: 'RetentionQuery' } }), 'query.source.interval'],
    [funnelOf({}), 'query.source.funnelStep'],
    [funnelOf({ funnelStep: 3 }), 'query.source.funnelStep'],
    [funnelOf({ funnelStep: -1 }), 'query.source.funnelStep'],
    [
      funnelOf({
        funnelStep: 1,
        source: { ...FUNNEL, aggregation_group_type_index: 0 },
      }),
      'query.source.source.aggregation_group_type_index',
    ],
    [{ ...trendsOf({}), limit: 201 }, 'query.limit'],
    [{ ...trendsOf({}), select: ['email'] }, 'query.select.0'],
    [{ ...trendsOf({}), select: ['id', 'actor', 'id'] }, 'query.select.2'],
    [{ ...trendsOf({}), orderBy: ['id'] }, 'query.orderBy'],
  ])('are not guessed: %j', async (query, field) => {
    const { status, body } = await ask(query);
    expect([status, body.attr]).toEqual([400, field]);
    expect(body.detail).toContain(field);
  });

  it('leaves other kinds of queries an empty source', async () => {
    const of = (source: unknown) => suite.client.query({ ...TRENDS, source });
    expect((await of(null)).status).toBe(200);
    expect((await of({})).status).toBe(200);
    expect((await of(ON_FRIDAY)).body.attr).toBe('query.source');
  });
});

describe('an ActorsQuery', () => {
  let portal: FakePortal;
  let service: Service;
  let client: ReturnType<typeof clientOf>;

  beforeAll(async () => {
    portal = await FakePortal.start({
      groups: { 'user:default/ada': ['group:default/admins'] },
    });
    service = await startAnalytics({
      now: () => Date.parse('2026-11-21T10:00:00.000Z'),
      config: {
        portal: { baseUrl: portal.baseUrl },
        projects: [
          {
            id: 'shop',
            name: 'Shop',
            keys: [{ name: 'test', key: 'phc_test_key' }],
            apiTokens: [
              { name: 'test', key: API_TOKEN },
              { name: 'queries', key: 'phx_queries', scopes: ['query'] },
            ],
            readers: ['group:default/admins'],
          },
          { id: 'counted', name: 'Counted', hidesPeople: true },
        ],
      },
    });
    client = clientOf(service);
  });

  afterAll(async () => {
    await service.stop();
    await portal.stop();
  });

  it.each([
    ['shop', 'ada', 200, undefined],
    ['shop', 'grace', 403, 'You may not read this project'],
    ['counted', 'ada', 403, 'This project only counts people'],
    ['shop', undefined, 401, expect.any(String)],
  ])(
    'about %s by %s is answered with %i',
    async (project, user, ...expected) => {
      const authorization =
        user && `Bearer ${await portal.token(`user:default/${user}`)}`;
      const { status, body } = await client.post(
        `/api/projects/${project}/query`,
        { query: { kind: 'ActorsQuery', source: ON_FRIDAY } },
        { ...(authorization && { authorization }) },
      );
      expect([status, body.detail]).toEqual(expected);
    },
  );

  it.each([
    [API_TOKEN, 200, undefined],
    ['phx_queries', 403, 'The scopes of this token do not include persons'],
  ])('with the token %s is answered with %i', async (token, ...expected) => {
    const { status, body } = await client.query(
      { kind: 'ActorsQuery', source: ON_FRIDAY },
      token,
    );
    expect([status, body.detail]).toEqual(expected);
  });

  it('cannot be saved', async () => {
    const { status, body } = await client.post(
      '/api/projects/shop/insights',
      {
        name: 'People',
        query: { kind: 'ActorsQuery', source: ON_FRIDAY },
      },
      { authorization: `Bearer ${await portal.token('user:default/ada')}` },
    );
    expect([status, body.attr]).toEqual([400, 'query.kind']);
  });
});
