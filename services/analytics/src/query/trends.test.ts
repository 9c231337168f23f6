import { analyticsSuite } from '../__testUtils__/analyticsSuite.ts';
import { API_TOKEN, allEngines } from '../__testUtils__/startAnalytics.ts';

describe.each(allEngines)('trends on %s', engine => {
  const suite = analyticsSuite(engine, 'block');

  const ask = (query: object) =>
    suite.client.post(
      '/api/query',
      { query: { kind: 'TrendsQuery', ...query } },
      { authorization: `Bearer ${API_TOKEN}` },
    );
  /** Runs a query, and returns each line's label, numbers and sum. */
  const lines = async (query: object) => {
    const { status, body } = await ask(query);
    expect([status, body.detail]).toEqual([200, undefined]);
    return body.results.map((each: { label: string; data: number[] }) => [
      each.label,
      each.data,
    ]);
  };
  const bought = (
    timestamp: string,
    user: string,
    properties: object = {},
  ) => ({ event: 'bought', distinct_id: user, timestamp, properties });

  // It is 21 November 2026, a Saturday, 10:00 in UTC.
  beforeAll(() =>
    suite.client.batch([
      bought('2026-11-18T00:00:00Z', 'ada', { plan: 'pro', price: 10 }),
      bought('2026-11-18T23:59:59.999Z', 'ada', { plan: 'pro', price: 2.5 }),
      bought('2026-11-20T12:00:00Z', 'grace', { plan: 'free', price: 1 }),
      bought('2026-11-20T12:30:00Z', 'ada', { price: 'many' }),
      bought('2026-11-13T12:00:00Z', 'lin', { plan: 'pro', price: 7 }),
      {
        event: 'opened',
        distinct_id: 'lin',
        timestamp: '2026-11-21T09:30:00Z',
      },
    ]),
  );

  it("have a point for every day, in PostHog's shape", async () => {
    const { body } = await ask({
      series: [{ kind: 'EventsNode', event: 'bought', custom_name: 'Sales' }],
      dateRange: { date_from: '-3d' },
    });
    expect(body).toEqual({
      hasMore: false,
      results: [
        {
          label: 'Sales',
          count: 4,
          data: [2, 0, 2, 0],
          days: ['2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21'],
          labels: ['18-Nov-2026', '19-Nov-2026', '20-Nov-2026', '21-Nov-2026'],
          action: {
            id: 'bought',
            type: 'events',
            order: 0,
            name: 'Sales',
            custom_name: 'Sales',
            math: 'total',
            math_property: null,
          },
        },
      ],
    });
  });

  it('count users, sum properties, and include all events', async () => {
    const of = (more: object) => ({ kind: 'EventsNode', ...more });
    expect(
      await lines({
        series: [
          of({ event: 'bought', math: 'dau' }),
          of({ event: 'bought', math: 'sum', math_property: 'price' }),
          of({ event: 'bought', math: 'avg', math_property: 'price' }),
          of({}),
        ],
        dateRange: { date_from: '-3d' },
      }),
    ).toEqual([
      ['bought', [1, 0, 2, 0]],
      ['bought', [12.5, 0, 1, 0]],
      ['bought', [6.25, 0, 1, 0]],
      ['All events', [2, 0, 2, 1]],
    ]);
  });

  it('take a list of properties as a breakdown', async () => {
    const askBy = (breakdowns: object[], more: object = {}) =>
      ask({
        series: [{ kind: 'EventsNode', event: 'bought' }],
        dateRange: { date_from: '-3d' },
        breakdownFilter: { breakdowns, ...more },
      });
    const plain = await ask({
      series: [{ kind: 'EventsNode', event: 'bought' }],
      dateRange: { date_from: '-3d' },
      breakdownFilter: { breakdown: 'plan' },
    });
    const { body } = await askBy([{ property: 'plan', type: 'event' }]);
    expect(body.results.length).toBeGreaterThan(1);
    expect(body.results).toEqual(
      plain.body.results.map((line: { breakdown_value: string }) => ({
        ...line,
        breakdown_value: [line.breakdown_value],
      })),
    );
    const several = [
      { property: 'plan' },
      { property: 'distinct_id', type: 'hogql' },
    ];
    const valuesOf = ({ body: { results } }: Awaited<ReturnType<typeof ask>>) =>
      results.map(
        (line: { label: string; breakdown_value: string[]; count: number }) => [
          line.label,
          line.breakdown_value,
          line.count,
        ],
      );
    const none = '$$_posthog_breakdown_null_$$';
    expect(valuesOf(await askBy(several))).toEqual([
      ['pro::ada', ['pro', 'ada'], 2],
      [`${none}::ada`, [none, 'ada'], 1],
      ['free::grace', ['free', 'grace'], 1],
    ]);
    const other = '$$_posthog_breakdown_other_$$';
    const cut = await askBy(several, { breakdown_limit: 1 });
    expect(valuesOf(cut)).toEqual([
      ['pro::ada', ['pro', 'ada'], 2],
      [`${other}::${other}`, [other, other], 2],
    ]);
    expect(cut.body.hasMore).toBe(true);
    const hidden = await askBy(several, {
      breakdown_limit: 1,
      breakdown_hide_other_aggregation: true,
    });
    expect(valuesOf(hidden)).toHaveLength(1);
    expect(hidden.body.hasMore).toBe(true);
    expect(
      (await askBy(['a', 'b', 'c', 'd'].map(property => ({ property })))).body
        .detail,
    ).toMatch(/breakdowns must have at most 3 elements/);
    expect(
      (await askBy([{ property: 'price', histogram_bin_count: 3 }])).body,
    ).toMatchObject({
      attr: 'query.breakdownFilter.breakdowns.0.histogram_bin_count',
    });
  });

  it('add up over time for a cumulative display', async () => {
    const { body } = await ask({
      series: [
        { kind: 'EventsNode', event: 'bought' },
        {
          kind: 'EventsNode',
          event: 'bought',
          math: 'sum',
          math_property: 'price',
        },
      ],
      dateRange: { date_from: '-3d' },
      trendsFilter: { display: 'ActionsLineGraphCumulative' },
    });
    expect(body.results).toMatchObject([
      { data: [2, 2, 4, 4], count: 4 },
      { data: [12.5, 12.5, 13.5, 13.5], count: 13.5 },
    ]);
  });

  it('start their buckets at the start of hours, weeks and months', async () => {
    const series = [{ kind: 'EventsNode', event: 'bought' }];
    const hours = await ask({
      series,
      interval: 'hour',
      dateRange: {
        date_from: '2026-11-20T11:00:00Z',
        date_to: '2026-11-20T13:10:00Z',
      },
    });
    expect(hours.body.results[0]).toMatchObject({
      data: [0, 2, 0],
      days: [
        '2026-11-20 11:00:00',
        '2026-11-20 12:00:00',
        '2026-11-20 13:00:00',
      ],
      labels: ['20-Nov-2026 11:00', '20-Nov-2026 12:00', '20-Nov-2026 13:00'],
    });
    // Weeks begin on Sunday, so the result contains this week and the one before.
    expect(
      await lines({
        series,
        interval: 'week',
        dateRange: { date_from: '-7d' },
      }),
    ).toEqual([['bought', [1, 4]]]);
    expect(
      await lines({
        series,
        interval: 'month',
        dateRange: { date_from: 'all' },
      }),
    ).toEqual([['bought', [5]]]);
  });

  it('are compared with the preceding period of equal length', async () => {
    const { body } = await ask({
      series: [{ kind: 'EventsNode', event: 'bought' }],
      dateRange: { date_from: '-4d' },
      compareFilter: { compare: true },
    });
    expect(body.results).toMatchObject([
      { compare_label: 'current', data: [0, 2, 0, 2, 0] },
      {
        compare_label: 'previous',
        data: [0, 1, 0, 0, 0],
        days: expect.arrayContaining(['2026-11-12', '2026-11-16']),
      },
    ]);
  });

  it.each([
    // Today is a Saturday, as are the first and the last day of both periods.
    ['-7d', 'day', ['2026-11-14', '2026-11-21'], ['2026-11-07', '2026-11-14']],
    ['-1w', 'day', ['2026-11-14', '2026-11-21'], ['2026-11-07', '2026-11-14']],
    [
      '-14d',
      'week',
      ['2026-11-01', '2026-11-15'],
      ['2026-10-18', '2026-11-01'],
    ],
    [
      'mStart',
      'day',
      ['2026-11-01', '2026-11-21'],
      ['2026-10-01', '2026-10-21'],
    ],
    [
      'mStart',
      'week',
      ['2026-11-01', '2026-11-15'],
      ['2026-10-11', '2026-10-25'],
    ],
    [
      'yStart',
      'month',
      ['2026-01-01', '2026-11-01'],
      ['2025-01-01', '2025-11-01'],
    ],
    [
      'dStart',
      'hour',
      ['2026-11-21 00:00:00', '2026-11-21 10:00:00'],
      ['2026-11-20 00:00:00', '2026-11-20 10:00:00'],
    ],
    [
      '-24h',
      'hour',
      ['2026-11-20 10:00:00', '2026-11-21 10:00:00'],
      ['2026-11-19 10:00:00', '2026-11-20 10:00:00'],
    ],
    ['-30d', 'day', ['2026-10-22', '2026-11-21'], ['2026-09-21', '2026-10-21']],
  ])(
    'of %s by %s are compared with like days and hours',
    async (from, interval, current, previous) => {
      const { body } = await ask({
        series: [{ kind: 'EventsNode', event: 'bought' }],
        interval,
        dateRange: { date_from: from },
        compareFilter: { compare: true },
      });
      expect(
        body.results.map(({ days }: { days: string[] }) => [
          days[0],
          days.at(-1),
        ]),
      ).toEqual([current, previous]);
    },
  );

  it('are compared with as many days of a shorter month', async () => {
    const { body } = await ask({
      series: [{ kind: 'EventsNode', event: 'bought' }],
      dateRange: { date_from: '2026-12-29', date_to: '2027-01-02' },
      compareFilter: { compare: true, compare_to: '-1m' },
    });
    expect(body.results[1].days).toEqual([
      '2026-11-29',
      '2026-11-30',
      '2026-12-01',
      '2026-12-02',
      '2026-12-03',
    ]);
    // Ten months before 29, 30 and 31 December is always the end of February.
    const long = await ask({
      series: [{ kind: 'EventsNode', event: 'bought' }],
      dateRange: { date_from: '2026-12-11', date_to: '2026-12-31' },
      compareFilter: { compare: true, compare_to: '-10m' },
    });
    expect(long.status).toBe(200);
    expect(long.body.results[1].days).toHaveLength(21);
    expect(new Set(long.body.results[1].days).size).toBe(21);
  });

  it('include the whole last day in hours', async () => {
    const { body } = await ask({
      series: [{ kind: 'EventsNode', event: 'bought' }],
      interval: 'hour',
      dateRange: { date_from: '2026-11-20', date_to: '2026-11-20' },
    });
    expect(body.results[0].data).toHaveLength(24);
    expect(body.results[0].data[12]).toBe(2);
  });

  it('are broken down by a property, with the remaining values combined', async () => {
    const query = {
      series: [{ kind: 'EventsNode', event: 'bought', math: 'dau' }],
      dateRange: { date_from: '-14d' },
    };
    const by = (limit?: number) => ({
      ...query,
      breakdownFilter: { breakdown: 'plan', breakdown_limit: limit },
    });
    const all = await ask(by());
    expect(all.body.hasMore).toBe(false);
    expect(
      all.body.results.map(
        (each: { breakdown_value: string; count: number }) => [
          each.breakdown_value,
          each.count,
        ],
      ),
    ).toEqual([
      ['pro', 2],
      ['free', 1],
      ['$$_posthog_breakdown_null_$$', 1],
    ]);
    const cut = await ask(by(1));
    expect(cut.body.hasMore).toBe(true);
    expect(cut.body.results).toMatchObject([
      { label: 'pro', count: 2 },
      // Ada and Grace, on the same day.
      { breakdown_value: '$$_posthog_breakdown_other_$$', count: 2 },
    ]);
  });

  it('are broken down by addresses without the slashes at their end', async () => {
    const at = (timestamp: string, url: string) => ({
      event: 'seen',
      distinct_id: 'ada',
      timestamp,
      properties: { url },
    });
    await suite.client.batch([
      at('2026-11-20T12:00:00Z', 'https://shop.example.com/cart/'),
      at('2026-11-20T13:00:00Z', 'https://shop.example.com/cart'),
      at('2026-11-20T14:00:00Z', '/?#'),
      at('2026-11-20T15:00:00Z', 'https://shop.example.com/?a=b'),
    ]);
    const { body } = await ask({
      series: [{ kind: 'EventsNode', event: 'seen' }],
      dateRange: { date_from: '-3d' },
      breakdownFilter: { breakdown: 'url', breakdown_normalize_url: true },
    });
    expect(
      body.results.map((line: { label: string; count: number }) => [
        line.label,
        line.count,
      ]),
    ).toEqual([
      ['https://shop.example.com/cart', 2],
      ['/', 1],
      ['https://shop.example.com/?a=b', 1],
    ]);
  });

  it('apply the filters of the query and of each series', async () => {
    const pro = { key: 'plan', value: 'pro' };
    expect(
      await lines({
        series: [
          { kind: 'EventsNode', event: 'bought', properties: [pro] },
          { kind: 'EventsNode', event: 'bought', fixedProperties: [pro] },
          { kind: 'EventsNode', event: 'bought' },
        ],
        properties: [{ key: 'price', value: 5, operator: 'gt' }],
        dateRange: { date_from: '-9d', date_to: '-1d' },
      }),
    ).toEqual([
      ['bought', [0, 1, 0, 0, 0, 0, 1, 0, 0]],
      ['bought', [0, 1, 0, 0, 0, 0, 1, 0, 0]],
      ['bought', [0, 1, 0, 0, 0, 0, 1, 0, 0]],
    ]);
  });

  const series = [{ kind: 'EventsNode', event: 'bought' }];
  it.each([
    [{}, 'series', 'is required'],
    [
      { series: [{ kind: 'ActionsNode', id: 5 }] },
      'series.0.kind',
      'EventsNode',
    ],
    [
      { series: [{ kind: 'EventsNode', math_multiplier: 2 }] },
      'series.0.math_multiplier',
      'use trendsFilter.formula',
    ],
    [
      { series, dateRange: { date_from: '-1d', explicitDate: true } },
      'dateRange.explicitDate',
      'use interval hour',
    ],
    [
      { series, breakdownFilter: { breakdown_histogram_bin_count: 5 } },
      'breakdownFilter.breakdown_histogram_bin_count',
      'floor(properties.x / 10) * 10',
    ],
    [
      { series: [{ kind: 'EventsNode', math: 'p98' }] },
      'series.0.math',
      'must be one of total, dau',
    ],
    [
      { series: [{ kind: 'EventsNode', math: 'sum' }] },
      'series.0.math_property',
      'is required',
    ],
    [
      {
        series: [{ kind: 'EventsNode', math: 'dau' }],
        trendsFilter: { display: 'ActionsLineGraphCumulative' },
      },
      'trendsFilter.display',
      'use total or sum',
    ],
    [{ series, samplingFactor: 0.1 }, 'samplingFactor', 'supported'],
    [
      { series, trendsFilter: { formula: 'A / B' } },
      'query.trendsFilter.formula',
      'needs a number or a series: A',
    ],
    [
      { series, compareFilter: { compare: true, compare_to: 'then' } },
      'compareFilter.compare_to',
      'must be a relative time such as -1y',
    ],
    [
      {
        series: [
          { kind: 'EventsNode', math: 'hogql', math_hogql: 'properties.price' },
        ],
      },
      'series.0.math_hogql',
      'must be an aggregate',
    ],
    [
      { series, interval: 'hour', dateRange: { date_from: '-1y' } },
      'interval',
      'longer',
    ],
    [
      { series, dateRange: { date_from: 'soon' } },
      'dateRange.date_from',
      'must be a date',
    ],
    [
      { series, dateRange: { date_from: '-1d', date_to: '-5d' } },
      'dateRange.date_from',
      'later',
    ],
  ])('refuse %j for its %s', async (query, attr, wording) => {
    const { status, body } = await ask(query);
    expect([status, body.attr]).toEqual([
      400,
      attr.startsWith('query.') ? attr : `query.${attr}`,
    ]);
    expect(body.detail).toContain(wording);
  });
});
