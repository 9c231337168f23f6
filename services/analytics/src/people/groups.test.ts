import { randomUUID } from 'node:crypto';
import type { Service } from '@slipway/service-kit';
import { FakePortal } from '@slipway/service-kit/testing';
import {
  allEngines,
  clientOf,
  startAnalytics,
} from '../__testUtils__/startAnalytics.ts';

/** Each test has its own project. */
const PROJECTS = ['queried', 'nested', 'insights', 'listed', 'empty'] as const;
type ProjectId = (typeof PROJECTS)[number];

const keyOf = (id: ProjectId) => `phc_${id}`;
const tokenOf = (id: ProjectId) => `phx_${id}`;
const bearerOf = (id: ProjectId) => ({
  authorization: `Bearer ${tokenOf(id)}`,
});

describe.each(allEngines)('groups in %s', engine => {
  let portal: FakePortal;
  let service: Service;
  let client: ReturnType<typeof clientOf>;

  beforeAll(async () => {
    portal = await FakePortal.start({
      groups: { 'user:default/ada': ['group:default/platform-admins'] },
    });
    service = await startAnalytics({
      engine,
      config: {
        portal: { baseUrl: portal.baseUrl },
        projects: PROJECTS.map(id => ({
          id,
          name: id,
          keys: [{ name: 'test', key: keyOf(id) }],
          apiTokens: [{ name: 'test', key: tokenOf(id) }],
        })),
      },
    });
    client = clientOf(service);
  });

  afterAll(async () => {
    await service.stop();
    await portal.stop();
  });

  const ask = async (
    url: string,
    {
      method = 'GET' as 'GET' | 'DELETE',
      headers = bearerOf('listed') as object,
    } = {},
  ) => {
    const response = await service.app.inject({
      method,
      url,
      headers: headers as Record<string, string>,
    });
    return { status: response.statusCode, body: response.json() };
  };
  const bearer = async (name: string) => ({
    authorization: `Bearer ${await portal.token(`user:default/${name}`)}`,
  });
  const identify = (type: string, key: unknown, properties = {}) => ({
    event: '$groupidentify',
    distinct_id: `$${type}_group`,
    properties: { $group_type: type, $group_key: key, $group_set: properties },
  });
  const used = (event: string, $groups: object, properties = {}) => ({
    event,
    distinct_id: 'ada',
    uuid: randomUUID(),
    properties: { ...properties, $groups },
  });
  const rowsOf = async (project: ProjectId, query: object) => {
    const { status, body } = await client.query(
      { after: 'all', ...query },
      tokenOf(project),
    );
    expect(body).toMatchObject({});
    expect(status).toBe(200);
    return body.results;
  };

  it('have properties within objects, which are not those of events', async () => {
    await client.batch(
      [
        identify('company', 'acme', { address: { city: 'Bern' } }),
        used('opened', { company: 'acme' }, { address: { city: 'Basel' } }),
      ],
      keyOf('nested'),
    );
    expect(
      await rowsOf('nested', {
        select: [
          "JSONExtractString(group_0.properties.address, 'city')",
          "JSONExtractString(properties.address, 'city')",
        ],
        event: 'opened',
      }),
    ).toEqual([['Bern', 'Basel']]);
  });

  it('can be queried by number and by type, with their latest properties', async () => {
    await client.batch(
      [
        identify('company', 'acme', { plan: 'free', seats: 3 }),
        identify('company', 'acme', { plan: 'pro' }),
        identify('team', 7, { size: 2 }),
        used('opened', { company: 'acme', team: 7 }),
        used('opened', { company: 'acme' }),
        used('opened', { company: 'unheard}of' }),
        used('opened', {}),
      ],
      keyOf('queried'),
    );
    const rows = await rowsOf('queried', {
      select: [
        '$group_0',
        'group_0.properties.plan',
        'group_0.properties.seats + 1',
        'group_1.key',
        'group_1.properties.size * 2',
        'count()',
      ],
      event: 'opened',
      orderBy: ['$group_0', 'group_1.key'],
    });
    expect(new Set(rows.map((row: unknown) => JSON.stringify(row)))).toEqual(
      new Set(
        [
          ['acme', 'pro', 4, '7', 4, 1],
          ['acme', 'pro', 4, null, null, 1],
          ['unheard}of', null, null, null, null, 1],
          [null, null, null, null, null, 1],
        ].map(row => JSON.stringify(row)),
      ),
    );
    expect(
      await rowsOf('queried', {
        select: ['count()'],
        where: ["company.properties.plan = 'pro'", "team.key = '7'"],
      }),
    ).toEqual([[1]]);
    expect(
      await rowsOf('queried', {
        select: ['count()'],
        properties: [
          {
            type: 'group',
            group_type_index: 0,
            key: 'plan',
            operator: 'exact',
            value: 'pro',
          },
        ],
      }),
    ).toEqual([[2]]);
    const { body } = await client.query(
      {
        kind: 'TrendsQuery',
        series: [{ kind: 'EventsNode', event: 'opened', math: 'unique_group' }],
        breakdownFilter: { breakdown: 'plan', breakdown_type: 'group' },
        dateRange: { date_from: '-1d' },
      },
      tokenOf('queried'),
    );
    expect(
      body.results.map(({ breakdown_value: value, count }: never) => [
        value,
        count,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['pro', 1],
        ['$$_posthog_breakdown_null_$$', 1],
      ]),
    );
    const wrong = await client.query(
      { select: ['group_0.properties'] },
      tokenOf('queried'),
    );
    expect(wrong).toMatchObject({
      status: 400,
      body: { attr: 'query.select.0' },
    });
  });

  it('can replace users in insights, as can sessions', async () => {
    const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const at = (minutes: number) => `${day}T12:0${minutes}:00.000Z`;
    const did = (
      event: string,
      by: { person: string; company?: string; session: string },
      minutes: number,
    ) => ({
      event,
      distinct_id: by.person,
      uuid: randomUUID(),
      timestamp: at(minutes),
      properties: {
        $session_id: by.session,
        ...(by.company && { $groups: { company: by.company } }),
      },
    });
    // Two people of one company: one begins the funnel, the other completes it. A third
    // person has no company.
    await client.batch(
      [
        did('began', { person: 'ada', company: 'acme', session: 's1' }, 0),
        did('began', { person: 'lin', company: 'initech', session: 's1' }, 1),
        did('bought', { person: 'grace', company: 'acme', session: 's2' }, 2),
        did('began', { person: 'joan', session: 's3' }, 3),
        did('bought', { person: 'joan', session: 's4' }, 4),
        did('bought', { person: 'ed', company: 'initech', session: 's3' }, 5),
      ],
      keyOf('insights'),
    );
    const dateRange = { date_from: day, date_to: day };
    const series = ['began', 'bought'].map(event => ({
      kind: 'EventsNode',
      event,
    }));
    const insight = async (query: object) => {
      const { status, body } = await client.query(
        { dateRange, ...query },
        tokenOf('insights'),
      );
      return { status, body, results: body.results };
    };
    const counts = async (more: object) =>
      (await insight({ kind: 'FunnelsQuery', series, ...more })).results.map(
        ({ count }: { count: number }) => count,
      );
    expect(await counts({})).toEqual([3, 1]);
    expect(await counts({ aggregation_group_type_index: null })).toEqual([
      3, 1,
    ]);
    expect(await counts({ aggregation_group_type_index: 0 })).toEqual([2, 2]);
    // There is no second group type.
    expect(await counts({ aggregation_group_type_index: 1 })).toEqual([0, 0]);
    expect(
      await counts({
        funnelsFilter: { funnelAggregateByHogQL: 'properties.$session_id' },
      }),
    ).toEqual([2, 1]);
    const byGroup = { aggregation_group_type_index: 0 };
    const { results: retention } = await insight({
      kind: 'RetentionQuery',
      ...byGroup,
      retentionFilter: {
        totalIntervals: 1,
        targetEntity: { id: 'bought' },
        returningEntity: { id: 'bought' },
      },
    });
    expect(retention[0].values[0].count).toBe(2);
    const { results: stickiness } = await insight({
      kind: 'StickinessQuery',
      ...byGroup,
      series: series.slice(0, 1),
    });
    expect(stickiness[0].count).toBe(2);
    const { results: lifecycle } = await insight({
      kind: 'LifecycleQuery',
      ...byGroup,
      series: series.slice(0, 1),
    });
    expect(
      lifecycle.find(({ status }: { status: string }) => status === 'new')
        .count,
    ).toBe(2);
    const { results: paths } = await insight({
      kind: 'PathsQuery',
      ...byGroup,
      pathsFilter: { includeEventTypes: ['custom_event'] },
    });
    expect(paths).toMatchObject([
      { source: '1_began', target: '2_bought', value: 2 },
    ]);
    for (const [query, attr, replacement] of [
      [
        { kind: 'TrendsQuery', series, ...byGroup },
        'aggregation_group_type_index',
        'math_group_type_index',
      ],
      [
        { kind: 'WebOverviewQuery', ...byGroup },
        'aggregation_group_type_index',
        'unique_group',
      ],
      [
        { select: ['event'], ...byGroup, dateRange: undefined },
        'aggregation_group_type_index',
        '$group_0',
      ],
      [
        {
          kind: 'FunnelsQuery',
          series,
          funnelsFilter: { funnelAggregateByHogQL: 'count()' },
        },
        'funnelsFilter.funnelAggregateByHogQL',
        'aggregate',
      ],
    ] as const) {
      const { status, body } = await insight(query);
      expect([status, body.attr]).toEqual([400, `query.${attr}`]);
      expect(body.detail).toContain(replacement);
    }
  });

  it('are listed by type, found, read and deleted', async () => {
    const groups = '/api/projects/listed/groups';
    const sent = await client.batch(
      [
        identify('company', 'acme', { name: 'Acme Ltd', plan: 'pro' }),
        used('opened', { company: 'initech' }),
        used('opened', { company: 'acme' }),
        ...['a', 'b', 'c', 'd', 'sixth'].map(type => identify(type, 'x')),
        identify('company', '', {}),
        identify('company', 'x'.repeat(401), {}),
      ],
      keyOf('listed'),
    );
    expect(sent.status).toBe(200);
    const types = await ask('/api/projects/listed/group-types');
    expect(types.body).toEqual({
      group_types: ['company', 'a', 'b', 'c', 'd'].map((name, index) => ({
        name,
        index,
        groups: name === 'company' ? 2 : 1,
      })),
    });
    expect((await ask(`${groups}?type=company&search=LTD`)).body).toEqual({
      groups: [
        {
          type: 'company',
          key: 'acme',
          properties: { name: 'Acme Ltd', plan: 'pro' },
          created_at: expect.any(String),
        },
      ],
      has_more: false,
    });
    const page = await ask(`${groups}?type=company&limit=1`);
    expect(page.body).toMatchObject({ has_more: true });
    expect((await ask(`${groups}/company/acme/events`)).body).toMatchObject({
      events: [{ event: 'opened', distinct_id: 'ada' }],
      has_more: false,
    });

    const url = `${groups}/company/acme`;
    const remove = { method: 'DELETE' as const };
    expect((await ask(url, { ...remove, headers: {} })).status).toBe(401);
    const grace = await bearer('grace');
    expect((await ask(url, { ...remove, headers: grace })).status).toBe(403);
    const ada = await bearer('ada');
    // The engine's copy is also deleted.
    const plans = { select: ['group_0.properties.plan'], event: 'opened' };
    expect(await rowsOf('listed', plans)).toContainEqual(['pro']);
    expect((await ask(url, { ...remove, headers: ada })).status).toBe(200);
    expect((await ask(url)).status).toBe(404);
    expect((await ask(url, { ...remove, headers: ada })).status).toBe(404);
    expect(await rowsOf('listed', plans)).toEqual([[null], [null]]);

    await client.batch([used('opened', { company: 'acme' })], keyOf('listed'));
    expect((await ask(url)).body.properties).toEqual({});
  });

  it('are visible to readers of the project', async () => {
    const groups = '/api/projects/empty/groups';
    const headers = bearerOf('empty');
    expect((await ask(groups, { headers })).status).toBe(400);
    expect((await ask(`${groups}?type=x`, { headers: {} })).status).toBe(401);
    const other = bearerOf('listed');
    expect((await ask(`${groups}?type=x`, { headers: other })).status).toBe(
      403,
    );
    expect((await ask(`${groups}/company/none`, { headers })).status).toBe(404);
    expect(
      (await ask(`${groups}/company/none/events`, { headers })).status,
    ).toBe(404);
  });
});
