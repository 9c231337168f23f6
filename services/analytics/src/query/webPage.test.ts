import { allEngines } from '../__testUtils__/startAnalytics.ts';
import { analyticsSuite, event } from '../__testUtils__/analyticsSuite.ts';

const IDS = "'/([0-9]+|[0-9a-fA-F-]{16,})/', '/:id/'";
const once = `replaceRegexpAll(concat(properties.$pathname, '/'), ${IDS})`;
/** The expression by which the portal lists pages. */
const PAGE = `replaceRegexpOne(replaceRegexpAll(${once}, ${IDS}), '/$', '')`;

describe.each(allEngines)('the queries of the web page in %s', engine => {
  const suite = analyticsSuite(engine, 'project');

  it('group paths with ids', async () => {
    const paths = [
      ['/', '/'],
      ['/orders/1', '/orders/:id'],
      ['/orders/22/', '/orders/:id/'],
      ['/a/1/2/3/b', '/a/:id/:id/:id/b'],
      ['/u/01890a5d-ac96-774b-bcce-b302099a8057', '/u/:id'],
      ['/v2/2fast', '/v2/2fast'],
      ['/feedback', '/feedback'],
    ];
    await suite.client.batch(
      paths.map(([path]) => ({ ...event, properties: { $pathname: path } })),
    );
    const { status, body } = await suite.client.query({
      select: ['properties.$pathname', PAGE],
    });
    expect([status, Object.fromEntries(body.results)]).toEqual([
      200,
      Object.fromEntries(paths),
    ]);
  });

  it.each([
    ['-7d', 'toStartOfDay(now() - interval 7 day)'],
    ['-24h', 'toStartOfHour(now() - interval 24 hour)'],
  ])('count visitors in the same period of %s', async (period, start) => {
    const at = [
      '2026-11-13T23:59:00Z',
      '2026-11-14T00:01:00Z',
      '2026-11-20T09:59:00Z',
      '2026-11-20T10:01:00Z',
    ];
    suite.clock.now = Date.parse('2026-11-21T10:30:00Z');
    await suite.client.batch(
      at.map((timestamp, index) => ({
        event: '$pageview',
        distinct_id: `visitor-${index}`,
        timestamp,
      })),
    );
    const [overview, list] = await Promise.all([
      suite.client.insight({
        kind: 'WebOverviewQuery',
        dateRange: { date_from: period },
      }),
      suite.client.query({
        select: ['uniq(person_id)'],
        event: '$pageview',
        where: [`timestamp >= ${start}`],
        after: 'all',
      }),
    ]);
    const visitors = overview.body.results.find(
      ({ key }: { key: string }) => key === 'visitors',
    ).value;
    expect([visitors, list.body.results]).toEqual([
      period === '-7d' ? 3 : 1,
      [[visitors]],
    ]);
  });

  it('count the same visitors between two dates, from one source to one page', async () => {
    const source = "coalesce(properties.$referring_domain, '$direct')";
    const conditions = [`${source} = '$direct'`, `${PAGE} = '/o\\'s/:id'`];
    suite.clock.now = Date.parse('2026-11-21T10:30:00Z');
    const view = (id: string, day: string, properties: object) => ({
      event: '$pageview',
      distinct_id: id,
      timestamp: `2026-11-${day}:00Z`,
      properties,
    });
    await suite.client.batch([
      view('first', '10T00:00', { $pathname: "/o's/1" }),
      view('last', '11T23:59', { $pathname: "/o's/2", utm_source: 'mail' }),
      view('early', '09T23:59', { $pathname: "/o's/1" }),
      view('late', '12T00:00', { $pathname: "/o's/1" }),
      view('elsewhere', '10T12:00', { $pathname: '/' }),
      view('referred', '10T12:00', {
        $pathname: "/o's/1",
        $referring_domain: 'news.example.com',
      }),
    ]);
    const overview = await suite.client.insight({
      kind: 'WebOverviewQuery',
      dateRange: { date_from: '2026-11-10', date_to: '2026-11-11' },
      properties: conditions.map(key => ({ key, type: 'hogql' })),
    });
    const list = await suite.client.query({
      select: [source, 'uniq(person_id)', 'count()'],
      event: '$pageview',
      where: [
        "toDate(timestamp) >= toDate('2026-11-10')",
        "toDate(timestamp) <= toDate('2026-11-11')",
        ...conditions,
      ],
      after: 'all',
    });
    expect([overview.status, overview.body.results?.[0].value]).toEqual([
      200, 2,
    ]);
    expect([list.status, list.body.results]).toEqual([
      200,
      [['$direct', 2, 2]],
    ]);
  });

  it('measure whole sessions, whatever the page is filtered by', async () => {
    const sent = (session: string, at: string, path?: string) => ({
      event: path === undefined ? '$autocapture' : '$pageview',
      distinct_id: session,
      timestamp: `2026-11-${at}Z`,
      properties: { $session_id: session, $pathname: path },
    });
    suite.clock.now = Date.parse('2026-11-21T10:30:00Z');
    await suite.client.batch([
      // A session across midnight counts on the day on which it began.
      sent('long', '19T23:50:00', '/'),
      sent('long', '20T00:10:00', '/pricing'),
      sent('three', '20T10:00:00', '/'),
      sent('three', '20T10:01:00', '/pricing'),
      sent('three', '20T10:02:00', '/docs'),
      sent('bounce', '20T11:00:00', '/pricing'),
      sent('click', '20T12:00:00', '/pricing'),
      sent('click', '20T12:00:04'),
      sent('elsewhere', '20T13:00:00', '/docs'),
      sent('late', '20T23:59:00', '/pricing'),
      sent('late', '21T00:01:00', '/'),
    ]);
    const overviewOf = async (path?: string) => {
      const { body } = await suite.client.insight({
        kind: 'WebOverviewQuery',
        dateRange: { date_from: '2026-11-20', date_to: '2026-11-20' },
        ...(path && { properties: [{ key: '$pathname', value: path }] }),
      });
      return body.results.map(({ value }: { value: number }) => value);
    };
    // Visitors, views, sessions, seconds, percentage of bounces.
    expect(await overviewOf()).toEqual([6, 8, 5, 49, 40]);
    expect(await overviewOf('/pricing')).toEqual([5, 5, 4, 61, 25]);
  });

  it('have no duration and no bounce rate without sessions', async () => {
    const { body } = await suite.client.insight({
      kind: 'WebOverviewQuery',
      dateRange: { date_from: '-7d' },
    });
    expect(
      body.results.map(({ key, value }: { key: string; value: unknown }) => [
        key,
        value,
      ]),
    ).toEqual([
      ['visitors', 0],
      ['views', 0],
      ['sessions', 0],
      ['session duration', null],
      ['bounce rate', null],
    ]);
  });
});
