import { patient } from '@slipway/dev-runner/src/patience.ts';
import type { Service } from '@slipway/service-kit';
import {
  clientOf,
  startAnalytics,
  allEngines,
} from '../__testUtils__/startAnalytics.ts';

const times = <T>(count: number, each: T): T[] =>
  Array.from({ length: count }, () => each);

describe.each(allEngines)('hostile queries on %s', engine => {
  let service: Service;
  let client: ReturnType<typeof clientOf>;

  beforeAll(async () => {
    service = await startAnalytics({ engine });
    client = clientOf(service);
    await client.capture({ event: 'opened', distinct_id: 'ada' });
  });

  afterAll(() => service.stop());

  it.each([
    [
      'a property of objects',
      { select: ['constructor(timestamp)'] },
      'select.0',
    ],
    ['the prototype', { select: ['__proto__(timestamp)'] }, 'select.0'],
    ['a start before all time', { after: '-999999y' }, 'after'],
    ['an end behind all time', { before: '+999999y' }, 'before'],
    [
      'a time beyond all dates',
      { select: ['now() + interval 999999 year'] },
      'select.0',
    ],
    [
      'a time too many days ahead',
      { select: ['now() + interval 999999999 day'] },
      'select.0',
    ],
    ['infinity', { where: ['properties.price < 1e999'] }, 'where.0'],
    [
      'an interval without a number',
      { select: ['now() - toIntervalDay()'] },
      'select.0',
    ],
    ['half a mode', { select: ['toStartOfWeek(timestamp, 0.5)'] }, 'select.0'],
    ['a character 0', { select: ['substring(event, 0, 3)'] }, 'select.0'],
    ['half a character', { select: ['substring(event, 0.5)'] }, 'select.0'],
    ['too many digits', { select: ['round(1.5, 99999)'] }, 'select.0'],
    ['an escape of nothing', { where: ["event like 'a\\\\'"] }, 'where.0'],
    [
      'a missing group',
      { select: ["replaceRegexpAll(event, '(o)', '\\\\2')"] },
      'select.0',
    ],
    [
      'a filter by a number of events',
      { properties: [{ type: 'hogql', key: 'count() > 1' }] },
      'properties.0.key',
    ],
    ['a maze', { where: [`${'('.repeat(500)}event = 'a'`] }, 'where.0'],
  ])('are refused for %s', async (_what, query, attr) => {
    expect(await client.query(query)).toMatchObject({
      status: 400,
      body: { type: 'validation_error', attr: `query.${attr}` },
    });
  });

  it('are refused for conditions on events in a query FROM a subquery', async () => {
    const ask = (query: string) =>
      client.query({
        kind: 'HogQLQuery',
        query,
        filters: { dateRange: { date_from: '-7d' } },
      });
    const inner = 'SELECT count() AS n FROM events';
    expect(await ask(`SELECT n FROM (${inner}) WHERE {filters}`)).toMatchObject(
      {
        status: 400,
        body: {
          attr: 'query.query',
          detail: expect.stringContaining('use it in the one FROM events'),
        },
      },
    );
    expect(await ask(`SELECT n FROM (${inner} WHERE {filters})`)).toMatchObject(
      { status: 200, body: { results: [[1]] } },
    );
  });

  it('are refused for a replacement with a missing group in paths', async () => {
    const ask = (alias: string) =>
      client.query({
        kind: 'PathsQuery',
        pathsFilter: {
          localPathCleaningFilters: [{ regex: '/([0-9]+)', alias }],
        },
      });
    expect(await ask('/:id\\2')).toMatchObject({
      status: 400,
      body: { attr: 'query.pathsFilter.localPathCleaningFilters.0.alias' },
    });
    expect((await ask('/:id\\1')).status).toBe(200);
  });

  it.each([
    ['substring(event, 2, -2)', 'pen'],
    ['substring(event, -2, -1)', 'e'],
    ['substring(event, -8, 4)', 'op'],
    ['substring(event, -8)', 'opened'],
    ['substring(event, 1.5, 2.5)', 'op'],
    ['substring(event, length(event) - 6)', ''],
    ["splitByChar('e', event)[0]", ''],
    ["splitByChar('e', event)[-1]", 'd'],
    ['toStartOfDay(null)', null],
    ['toStartOfWeek(null)', null],
    ['timestamp + toIntervalDay(null)', null],
  ])('have the same answer on every engine: %s', async (written, cell) => {
    expect(await client.query({ select: [written] })).toMatchObject({
      status: 200,
      body: { results: [[cell]] },
    });
  });

  it('have no time where one is beyond all dates', async () => {
    const select = ['timestamp + 1000000000000000', 'event'];
    expect(await client.query({ select })).toMatchObject({
      status: 200,
      body: { results: [[null, 'opened']] },
    });
  });

  it('count active people of thousands of days, and refuse more', async () => {
    const since = (from: string) =>
      client.query({
        kind: 'TrendsQuery',
        series: [
          { kind: 'EventsNode', event: 'opened', math: 'monthly_active' },
        ],
        interval: 'month',
        dateRange: { date_from: from, date_to: '2027-01-01' },
      });
    expect((await since('2016-01-01')).status).toBe(200);
    expect(await since('2010-01-01')).toMatchObject({
      status: 400,
      body: { attr: 'query.dateRange' },
    });
  });

  it('are answered for decades where nothing is shown over time', async () => {
    const series = ['opened', 'bought'].map(event => ({
      kind: 'EventsNode',
      event,
    }));
    const dateRange = { date_from: '1971-01-01' };
    const compareFilter = { compare: true };
    const answers = await Promise.all(
      [
        { kind: 'FunnelsQuery', series },
        {
          kind: 'TrendsQuery',
          series,
          trendsFilter: { display: 'BoldNumber' },
        },
        ...['hour', 'day', 'week', 'month'].map(interval => ({
          kind: 'TrendsQuery',
          series,
          interval,
          trendsFilter: { display: 'BoldNumber' },
          compareFilter,
        })),
        { kind: 'WebOverviewQuery', compareFilter },
        { kind: 'TrendsQuery', series },
      ].map(query => client.query({ ...query, dateRange })),
    );
    expect(answers.map(({ status }) => status)).toEqual([
      ...times(7, 200),
      400,
    ]);
    expect(answers[0].body.results[0].count).toBe(1);
    for (const { body } of answers.slice(1, 6)) {
      expect(body.results[0].aggregated_value).toBe(1);
    }
  });

  it('count in a thousand hours', async () => {
    const { status, body } = await client.query({
      kind: 'TrendsQuery',
      series: [{ kind: 'EventsNode', event: 'opened' }],
      interval: 'hour',
      dateRange: {
        date_from: '2026-01-01T00:00:00Z',
        date_to: '2026-02-11T15:59:59Z',
      },
    });
    expect(status).toBe(200);
    expect(body.results[0].data).toHaveLength(1_000);
  });

  it('are refused for a long chain of queries in WITH', async () => {
    const chain = (steps: number) => {
      const rest = Array.from(
        { length: steps },
        (_, index) => `, a${index + 1} AS (SELECT event FROM a${index})`,
      ).join('');
      const query = `WITH a0 AS (SELECT event FROM events)${rest} SELECT count() FROM a${steps}`;
      return client.query({ kind: 'HogQLQuery', query });
    };
    expect((await chain(18)).body.results).toEqual([[1]]);
    expect(await chain(19)).toMatchObject({
      status: 400,
      body: { attr: 'query.query' },
    });
  });

  it.each([
    [
      'aliases of aliases',
      `SELECT count() AS a0${times(40, 0)
        .map((_, index) => `, a${index} + a${index} AS a${index + 1}`)
        .join('')} FROM events`,
    ],
    [
      'a repeated BETWEEN',
      `SELECT 1${' BETWEEN 0 AND 1'.repeat(60)} FROM events`,
    ],
    [
      'CASE within CASE',
      `SELECT ${'CASE '.repeat(30)}1${' WHEN 1 THEN 1 WHEN 2 THEN 2 END'.repeat(30)} FROM events`,
    ],
    [
      'a long text in many places',
      `SELECT '${'x'.repeat(15_000)}' AS a, concat(${times(100, 'a').join()}) AS b FROM events`,
    ],
    [
      'remainders of remainders',
      `SELECT properties.n${' % 2'.repeat(60)} FROM events`,
    ],
    [
      'hours of hours',
      `SELECT ${'toStartOfHour('.repeat(30)}timestamp${')'.repeat(30)} FROM events`,
    ],
    ['choices within choices', `SELECT ${'1?1:'.repeat(4_000)}1 FROM events`],
    [
      'sums within sums',
      `SELECT ${'('.repeat(39)}1${`${'+1'.repeat(90)})`.repeat(39)} FROM events`,
    ],
    [
      'a column repeated in GROUP BY',
      `SELECT event IN (${times(500, "'a'").join()}) FROM events GROUP BY ${times(100, 1).join()}`,
    ],
    [
      'a count above 16 behind repeated alternatives',
      "SELECT match(event, '(a|a)*b{17}') FROM events",
    ],
    [
      'alternatives that repeat up to 40 times',
      "SELECT match(event, '(a|a){1,40}b') FROM events",
    ],
    ['comments without an end', `SELECT 1 FROM events ${'/*a'.repeat(6_000)}`],
  ])('are refused at once for %s', async (_what, query) => {
    const start = performance.now();
    expect(await client.query({ kind: 'HogQLQuery', query })).toMatchObject({
      status: 400,
      body: { attr: expect.stringMatching(/^query/) },
    });
    expect(performance.now() - start).toBeLessThan(patient(2_000));
  });

  it('match regular expressions in linear time', async () => {
    const text = 'a'.repeat(34);
    await client.capture({ event: text, distinct_id: 'ada' });
    const start = performance.now();
    expect(
      await client.query({
        select: [
          "match(event, '(a|a)*b')",
          "extract(event, '(a|a)+$')",
          "replaceRegexpAll(event, '(a|a)*b', '')",
        ],
        where: [`event = '${text}'`],
      }),
    ).toMatchObject({ status: 200, body: { results: [[false, 'a', text]] } });
    expect(performance.now() - start).toBeLessThan(patient(10_000));
  });

  it('are refused for many filters that are larger than their texts', async () => {
    const key = `1${' between 0 and 1'.repeat(10)}`;
    const properties = times(50, { type: 'hogql', key });
    const ask = (count: number) =>
      client.query({
        kind: 'TrendsQuery',
        series: [
          { kind: 'EventsNode', properties: properties.slice(0, count) },
        ],
      });
    expect((await ask(2)).status).toBe(200);
    expect(await ask(50)).toMatchObject({
      status: 400,
      body: { attr: 'query' },
    });
  });

  it('are parsed in linear time if a label is mostly spaces', async () => {
    const label = `a${' '.repeat(1_900)}b`;
    expect(
      await client.query({ select: times(10, `count() as n -- ${label}  `) }),
    ).toMatchObject({ status: 200, body: { columns: times(10, label) } });
  });

  it('are answered up to the maximum length, and rejected beyond it', async () => {
    const condition = `event in (${times(490, "'a'").join(',')})`;
    const query = (conditions: number) => ({
      select: ['event'],
      events: times(100, '😀'.repeat(500)),
      where: times(conditions, condition),
    });
    expect(await client.query(query(10))).toMatchObject({
      status: 200,
      body: { results: [] },
    });
    expect(await client.query(query(11))).toMatchObject({
      status: 400,
      body: { attr: 'query' },
    });
  });
});
