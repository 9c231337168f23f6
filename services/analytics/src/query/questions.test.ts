import { analyticsSuite, event } from '../__testUtils__/analyticsSuite.ts';
import { allEngines } from '../__testUtils__/startAnalytics.ts';

describe.each(allEngines)('queries on %s', engine => {
  const suite = analyticsSuite(engine, 'project');

  it('excludes both ends of a period', async () => {
    const at = (timestamp: string) => ({ ...event, timestamp });
    await suite.client.batch([
      at('2026-11-19T00:00:00Z'),
      at('2026-11-19T00:00:00.001Z'),
      at('2026-11-19T23:59:59.999Z'),
      at('2026-11-20T00:00:00Z'),
      at('2026-11-20T12:00:00Z'),
      at('2026-11-21T09:59:59Z'),
    ]);
    const times = async (period: object) => {
      const { body } = await suite.client.query({
        select: ['timestamp'],
        orderBy: ['timestamp'],
        ...period,
      });
      return body.results.map(([time]: [string]) => time.slice(8, 23));
    };
    expect(
      await times({
        after: '2026-11-19T00:00:00Z',
        before: '2026-11-20T00:00:00Z',
      }),
    ).toEqual(['19T00:00:00.001', '19T23:59:59.999']);
    expect(await times({ after: '2026-11-19', before: '2026-11-20' })).toEqual([
      '19T00:00:00.001',
      '19T23:59:59.999',
      '20T00:00:00.000',
      '20T12:00:00.000',
    ]);
    expect(await times({})).toEqual(['20T12:00:00.000', '21T09:59:59.000']);
    expect(await times({ after: '-2h' })).toEqual(['21T09:59:59.000']);
    expect(await times({ after: 'all' })).toHaveLength(6);
    const turned = await suite.client.query({
      after: '2026-11-20',
      before: '2026-11-18',
    });
    expect(turned).toMatchObject({
      status: 400,
      body: { type: 'validation_error', attr: 'query.after' },
    });
  });

  it('returns pages without gaps and reports whether there are more', async () => {
    await suite.client.batch(
      Array.from({ length: 5 }, (_, number) => ({
        ...event,
        distinct_id: `user-${number}`,
      })),
    );
    const pages = [];
    for (const offset of [0, 2, 4]) {
      const { body } = await suite.client.query({
        select: ['distinct_id'],
        orderBy: ['event'],
        limit: 2,
        offset,
      });
      pages.push([body.results.length, body.hasMore, body.limit, body.offset]);
    }
    expect(pages).toEqual([
      [2, true, 2, 0],
      [2, true, 2, 2],
      [1, false, 2, 4],
    ]);
    expect((await suite.client.query({ limit: 50_001 })).status).toBe(400);
    expect((await suite.client.query({ limit: 0 })).status).toBe(400);
  });

  it('counts, sums and groups', async () => {
    const bought = (user: string, price: unknown) => ({
      event: 'bought',
      distinct_id: user,
      properties: { price },
    });
    await suite.client.batch([
      bought('ada', 10),
      bought('ada', 2.5),
      bought('grace', '99'),
      bought('grace', null),
      event,
    ]);
    const { body } = await suite.client.query({
      select: [
        'event',
        'count()',
        'count(distinct distinct_id) -- people',
        'sum(properties.price) as total',
        'avg(properties.price)',
        'max(properties.price)',
        'toDate(timestamp)',
      ],
    });
    expect(body.columns.slice(2, 4)).toEqual(['people', 'total']);
    expect(body.results).toEqual([
      ['bought', 4, 2, 12.5, 6.25, 10, '2026-11-21'],
      ['signed up', 1, 1, null, null, null, '2026-11-21'],
    ]);
    const having = await suite.client.query({
      select: ['event', 'count()'],
      where: ["count() > 1 and event != 'x'", "distinct_id like 'a%'"],
    });
    expect(having.body.results).toEqual([['bought', 2]]);
  });

  it('accepts property names that contain comment markers', async () => {
    const properties = { 'a -- b': 'x', "it's -- y": 'z' };
    await suite.client.capture({ ...event, properties });
    const { body } = await suite.client.query({
      select: [
        "properties['a -- b']",
        "properties['it''s -- y'] -- a label",
        "properties['a -- b'] as b",
      ],
      where: ["properties['a -- b'] = 'x'"],
    });
    expect(body).toMatchObject({
      columns: ["properties['a -- b']", 'a label', 'b'],
      results: [['x', 'z', 'x']],
    });
  });

  it.each([
    [
      { select: ['count('] },
      'query.select.0 needs a name or a value (at its end)',
    ],
    [
      { select: ['event', 'count() plan'] },
      "query.select.1 must end here (at character 9: 'plan')",
    ],
    [
      { where: ["event = 'a' and (event = 'b' or event = 'c'"] },
      "query.where.0 needs ')' (at its end)",
    ],
    [
      { where: ['event = opened'] },
      "query.where.0 names 'opened', which is not one of uuid, event, properties, timestamp, distinct_id, created_at, person_id, properties.<name>; strings are written in single quotes (at character 9: 'opened')",
    ],
    [
      { where: ["event = 'a' ; drop"] },
      "query.where.0 cannot be parsed at character 13, at '; drop'",
    ],
  ])('says of %j where it is at fault, and how', async (query, detail) => {
    expect(await suite.client.query(query)).toMatchObject({
      status: 400,
      body: { detail },
    });
  });

  it.each([
    [
      'select event, foo(1) from events',
      "query.query calls 'foo', which is not available (at character 15: 'foo')",
    ],
    [
      'select row_number() over () from events',
      "query.query calls 'row_number', which is not available: use ORDER BY … LIMIT (at character 8: 'row_number')",
    ],
    [
      'select count( from events',
      "query.query opens a bracket that is not closed (at character 13: '(')",
    ],
    ['select 1', 'query.query needs FROM events (at its end)'],
  ])('says of %j where it is at fault, and how', async (query, detail) => {
    expect(
      await suite.client.query({ kind: 'HogQLQuery', query }),
    ).toMatchObject({ status: 400, body: { detail } });
  });

  it('reads a property whose name is a keyword', async () => {
    await suite.client.capture({ ...event, properties: { from: 'mail' } });
    const { status, body } = await suite.client.query({
      kind: 'HogQLQuery',
      query: "SELECT properties.from FROM events WHERE properties.from != ''",
    });
    expect([status, body.results]).toEqual([200, [['mail']]]);
  });

  it('accepts null for omitted fields', async () => {
    await suite.client.capture({ ...event, properties: null, timestamp: null });
    const { status, body } = await suite.client.query({
      select: null,
      event: null,
      events: null,
      after: null,
      before: null,
      where: null,
      properties: null,
      fixedProperties: null,
      orderBy: null,
      limit: null,
      offset: null,
      personId: null,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ columns: ['*'], limit: 100, offset: 0 });
    expect(body.results).toHaveLength(1);
  });

  it('matches all events if the event name is empty', async () => {
    await suite.client.capture(event);
    const { body } = await suite.client.query({ select: ['event'], event: '' });
    expect(body.results).toHaveLength(1);
  });

  it.each([
    { kind: 'LifecycleQuery', breakdownFilter: { breakdown: 'plan' } },
    { kind: 'PathsQuery', breakdownFilter: { breakdown: 'plan' } },
    { kind: 'StickinessQuery', breakdownFilter: { breakdown: 'plan' } },
    { kind: 'WebOverviewQuery', breakdownFilter: { breakdown: 'plan' } },
    { kind: 'FunnelsQuery', compareFilter: { compare: true } },
    { kind: 'LifecycleQuery', compareFilter: { compare: true } },
    { kind: 'PathsQuery', compareFilter: { compare: true } },
    { kind: 'RetentionQuery', compareFilter: { compare: true } },
    {
      kind: 'HogQLQuery',
      query: 'SELECT 1 FROM events',
      properties: [{ key: 'plan', value: 'pro' }],
    },
  ])('refuses what this kind of insight would ignore: %j', async query => {
    const series = [
      { kind: 'EventsNode', event: 'a' },
      { kind: 'EventsNode', event: 'b' },
    ].slice(0, query.kind === 'FunnelsQuery' ? 2 : 1);
    const { status, body } = await suite.client.query({ series, ...query });
    expect([status, body.detail]).toEqual([
      400,
      expect.stringMatching(/^query[.]\S+ is not supported: use ./),
    ]);
  });

  it('accepts empty settings of a breakdown and a comparison', async () => {
    const { status } = await suite.client.query({
      kind: 'LifecycleQuery',
      series: [{ kind: 'EventsNode', event: 'a' }],
      breakdownFilter: { breakdown_type: 'event' },
      compareFilter: { compare: false },
    });
    expect(status).toBe(200);
  });

  it.each([
    { actionId: 5 },
    { personId: 'a-1' },
    { source: { kind: 'x' } },
    { conversionGoal: { actionId: 1 } },
    { breakdownFilter: { breakdown: 'plan' } },
    { dateRange: { date_from: '-7d' } },
  ])('refuses %j, without which the answer would be another', async more => {
    const [name] = Object.keys(more);
    const { status, body } = await suite.client.query({ ...more });
    expect([status, body]).toEqual([
      400,
      {
        type: 'validation_error',
        code: 'invalid_input',
        detail: expect.stringMatching(
          new RegExp(`^query[.]${name} is not supported: use .`),
        ),
        attr: `query.${name}`,
      },
    ]);
  });
});
