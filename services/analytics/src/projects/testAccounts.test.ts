import type { Service } from '@slipway/service-kit';
import { FakePortal } from '@slipway/service-kit/testing';
import {
  API_TOKEN,
  clientOf,
  startAnalytics,
} from '../__testUtils__/startAnalytics.ts';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');

const FILTERS = [
  {
    key: 'email',
    value: '@ourcompany.example',
    operator: 'not_icontains',
    type: 'person',
  },
  { key: '$host', value: ['localhost'], operator: 'is_not', type: 'event' },
];

describe('test accounts', () => {
  let portal: FakePortal;
  let service: Service;
  let client: ReturnType<typeof clientOf>;
  let ada: Record<string, string>;
  let grace: Record<string, string>;

  const change = async (payload: object, headers = ada, project = 'shop') => {
    const response = await service.app.inject({
      method: 'PATCH',
      url: `/api/projects/${project}`,
      payload,
      headers,
    });
    return { status: response.statusCode, body: response.json() };
  };
  const ask = async (query: object) => {
    const { status, body } = await client.query(query);
    expect([status, body]).toEqual([200, expect.anything()]);
    return body.results;
  };

  beforeAll(async () => {
    portal = await FakePortal.start({
      groups: { 'user:default/ada': ['group:default/platform-admins'] },
    });
    service = await startAnalytics({
      now: () => NOW,
      config: {
        portal: { baseUrl: portal.baseUrl },
        projects: [
          {
            id: 'shop',
            name: 'Shop',
            keys: [{ name: 'test', key: 'phc_test_key' }],
            apiTokens: [{ name: 'test', key: API_TOKEN }],
          },
          { id: 'counted', name: 'Counted', hidesPeople: true },
        ],
      },
    });
    client = clientOf(service);
    const bearer = async (name: string) => ({
      authorization: `Bearer ${await portal.token(`user:default/${name}`)}`,
    });
    ada = await bearer('ada');
    grace = await bearer('grace');
    const at = (hour: number) => `2026-11-21T0${hour}:00:00Z`;
    const event = (name: string, id: string, properties: object, hour = 8) => ({
      event: name,
      distinct_id: id,
      timestamp: at(hour),
      properties: { $session_id: `session of ${id}`, ...properties },
    });
    await client.batch([
      event('$pageview', 'tester', {
        $set: { email: 'qa@OurCompany.example' },
        $current_url: 'https://shop.example/staging',
      }),
      event('$pageview', 'tester', {
        $current_url: 'https://shop.example/staging/2',
      }),
      event('bought', 'tester', {}, 9),
      event('$pageview', 'buyer', {
        $set: { email: 'joan@mail.example' },
        $current_url: 'https://shop.example/',
      }),
      event('bought', 'buyer', {}, 9),
      event('$pageview', 'developer', { $host: 'localhost' }),
      event('$pageview', 'nobody', {
        $current_url: 'https://shop.example/',
      }),
      event('$pageview', 'nobody', {
        $current_url: 'https://shop.example/cart',
      }),
    ]);
  });

  afterAll(async () => {
    await service.stop();
    await portal.stop();
  });

  it('are defined by filters that admins can change, even in a configured project', async () => {
    expect((await change({ test_account_filters: [] }, grace)).status).toBe(
      403,
    );
    expect((await change({ test_account_filters: [] }, {})).status).toBe(401);
    const checked = { test_account_filters_default_checked: true };
    expect(
      await change({ test_account_filters: FILTERS, ...checked }),
    ).toMatchObject({
      status: 200,
      body: { test_account_filters: FILTERS, ...checked },
    });
    // The configuration sets everything else.
    expect(
      await change({ test_account_filters: [], name: 'Store' }),
    ).toMatchObject({ status: 409 });
    const list = await service.app.inject({
      url: '/api/projects',
      headers: grace,
    });
    expect(list.json().projects[1]).toMatchObject({
      id: 'shop',
      test_account_filters: FILTERS,
      ...checked,
    });
  });

  it.each([
    [[{ key: 'email', operator: 'likes' }], '0.operator'],
    [[{ key: 'email', operator: 'exact' }], '0.value'],
    [[{ key: 'email', operator: 'regex', value: '(a+)+' }], '0.value'],
    [[{ key: 'id', type: 'cohort', value: 5 }], '0.value'],
    [Array.from({ length: 21 }, () => FILTERS[0]), undefined],
  ])('are not described by %j', async (filters, place) => {
    expect(await change({ test_account_filters: filters })).toMatchObject({
      status: 400,
      body: { attr: ['test_account_filters', place].filter(Boolean).join('.') },
    });
  });

  it('cannot be defined by identity if the project hides people', async () => {
    const set = (filters: object[]) =>
      change({ test_account_filters: filters }, ada, 'counted');
    expect(await set([FILTERS[0]])).toMatchObject({
      status: 400,
      body: { attr: 'test_account_filters' },
    });
    expect((await set([FILTERS[1]])).status).toBe(200);
  });

  const series = [{ kind: 'EventsNode', event: '$pageview', math: 'dau' }];
  const steps = [...series, { kind: 'EventsNode', event: 'bought' }];
  const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);

  it.each<[string, object, (results: any) => unknown, unknown, unknown]>([
    [
      'a table',
      { select: ['count()'], event: '$pageview' },
      results => results[0][0],
      6,
      3,
    ],
    [
      'trends',
      { kind: 'TrendsQuery', series },
      results => results[0].count,
      4,
      2,
    ],
    [
      'a funnel',
      { kind: 'FunnelsQuery', series: steps },
      results => results.map(({ count }: { count: number }) => count),
      [4, 2],
      [2, 1],
    ],
    [
      'retention',
      { kind: 'RetentionQuery', retentionFilter: { period: 'Day' } },
      results => results.at(-1).values[0].count,
      4,
      2,
    ],
    [
      'a lifecycle',
      { kind: 'LifecycleQuery', series },
      results => sum(results[0].data),
      4,
      2,
    ],
    [
      'stickiness',
      { kind: 'StickinessQuery', series },
      results => results[0].data[0],
      4,
      2,
    ],
    [
      'paths',
      { kind: 'PathsQuery', pathsFilter: {} },
      results => results.length,
      2,
      1,
    ],
    [
      'the web overview',
      { kind: 'WebOverviewQuery', properties: [] },
      results => results[0].value,
      4,
      2,
    ],
  ])('are left out of %s', async (_name, query, read, all, real) => {
    await change({ test_account_filters: FILTERS });
    expect(read(await ask(query))).toEqual(all);
    expect(read(await ask({ ...query, filterTestAccounts: true }))).toEqual(
      real,
    );
  });

  it('are excluded from HogQL that contains {filters}', async () => {
    const query = {
      kind: 'HogQLQuery',
      query: "select count() from events where {filters} and event = 'bought'",
    };
    expect(
      await ask({ ...query, filters: { filterTestAccounts: true } }),
    ).toEqual([[1]]);
    const { status, body } = await client.query({
      ...query,
      filterTestAccounts: true,
    });
    expect([status, body.attr]).toEqual([400, 'query.filterTestAccounts']);
  });

  it('are counted again once the filters are removed, even in cached results', async () => {
    const query = { kind: 'TrendsQuery', series, filterTestAccounts: true };
    await change({ test_account_filters: FILTERS });
    expect((await ask(query))[0].count).toBe(2);
    await change({ test_account_filters: [] });
    expect((await ask(query))[0].count).toBe(4);
  });
});
