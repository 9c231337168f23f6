import { analyticsSuite } from '../__testUtils__/analyticsSuite.ts';
import { allEngines } from '../__testUtils__/startAnalytics.ts';
import {
  FUNNEL,
  lifecycleOf,
  ON_FRIDAY,
  pathsOf,
  stickinessOf,
  TRENDS,
} from './__testUtils__/actorQueries.ts';

describe.each(allEngines)('the people of an ActorsQuery on %s', engine => {
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
    // Each of these is a further id of its person.
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
      // The row of yesterday, among eight days.
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

  it('are those of a bar of a lifecycle', async () => {
    const of = (day: string, status: string, more: object = {}) =>
      idsOf({ source: lifecycleOf({ day, status }), ...more });
    expect(await of('2026-11-20', 'new')).toEqual(['ada', 'grace', 'visitor']);
    expect(await of('2026-11-20', 'returning')).toEqual([]);
    expect(await of('2026-11-21', 'dormant')).toEqual([
      'ada',
      'grace',
      'visitor',
    ]);
    expect(await of('2026-11-21', 'dormant', { search: 'hop' })).toEqual([
      'grace',
    ]);
  });

  it('are those who were active in a number of intervals', async () => {
    const of = (more: object) => idsOf({ source: stickinessOf(more) });
    const all = ['ada', 'grace', 'visitor'];
    expect(await of({ day: 1 })).toEqual(['grace', 'visitor']);
    expect(await of({ day: '2' })).toEqual(['ada']);
    expect(await of({ day: 1, operator: 'gte' })).toEqual(all);
    expect(await of({ kind: 'StickinessActorsQuery', day: 2 })).toEqual([
      'ada',
    ]);
    expect(await of({})).toEqual(all);
  });

  it('are those who moved from one page to another, with how often', async () => {
    const view = (user: string, path: string, time: string) => ({
      event: '$pageview',
      distinct_id: user,
      timestamp: `2026-11-20T${time}:00Z`,
      properties: { $pathname: path },
    });
    await suite.client.batch([
      view('grace', '/a_b', '12:00'),
      view('grace', '/c', '12:01'),
      ...['12', '14'].flatMap(hour => [
        view('ada', '/a_b', `${hour}:00`),
        view('ada', '/c', `${hour}:01`),
      ]),
    ]);
    const of = async (keys: object) => {
      const select = ['id', 'event_count'];
      const { status, body } = await ask({ source: pathsOf(keys), select });
      expect([status, body.detail]).toEqual([200, undefined]);
      return body.results;
    };
    const both = [
      ['ada', 2],
      ['grace', 1],
    ];
    expect(await of({ pathStartKey: '1_/a_b', pathEndKey: '2_/c' })).toEqual(
      both,
    );
    expect(await of({ pathStartKey: '1_/a_b' })).toEqual(both);
    expect(await of({ pathEndKey: '2_/c' })).toEqual(both);
    expect(await of({ pathEndKey: '2_/a_b' })).toEqual([]);
  });
});
