import type { Query } from '../../schemas.ts';

/** A Saturday; clocks in Zurich show 11:00. */
export const NOW = Date.parse('2026-11-21T10:00:00Z');

export const EVENTS = [
  [
    'bought',
    'ada',
    '2026-11-20T23:30:00Z',
    {
      price: 10,
      plan: 'pro',
      $current_url: 'https://shop.example.com/cart/12?coupon=x#top',
      $browser: 'Firefox',
      items: { first: { sku: 'A-1', count: 2 } },
    },
  ],
  [
    'bought',
    'grace',
    '2026-11-20T12:00:00Z',
    {
      price: 2.5,
      plan: 'free',
      $current_url: 'https://shop.example.com/',
      $browser: 'Chrome',
      trial: true,
    },
  ],
  [
    'bought',
    'ada',
    '2026-11-19T09:15:30Z',
    { price: '7', plan: 'pro', email: 'Ada@Example.com ' },
  ],
  [
    '$pageview',
    'ada',
    '2026-11-20T23:00:00Z',
    {
      $pathname: '/blog/hello-world',
      utm_source: 'Mail',
      $referring_domain: '$direct',
    },
  ],
  [
    '$pageview',
    'lin',
    '2026-11-16T08:00:00Z',
    {
      $pathname: '/pricing',
      utm_source: null,
      signed_at: '2026-11-01 08:00:00',
    },
  ],
  ['signed up', 'lin', '2026-11-16T08:05:00Z', { plan: 'free', 'a b': 'x' }],
] as const;

const all = { after: 'all' };

/** A query as users write it, with the expected rows, or with the alternative that its error names. */
type Case = readonly [Partial<Query>, readonly (readonly unknown[])[] | string];

export const CASES: readonly Case[] = [
  // Values, and replacements of missing ones.
  [
    {
      select: ["coalesce(properties.utm_source, 'none')", 'count()'],
      event: '$pageview',
      ...all,
    },
    [
      ['Mail', 1],
      ['none', 1],
    ],
  ],
  [
    {
      select: ["ifNull(properties.plan, '-')"],
      event: '$pageview',
      limit: 1,
      ...all,
    },
    [['-']],
  ],
  [
    {
      select: [
        "if(properties.plan = 'pro', 'paid', 'free') as tier",
        'count()',
      ],
      event: 'bought',
      orderBy: ['tier'],
      ...all,
    },
    [
      ['free', 1],
      ['paid', 2],
    ],
  ],
  [
    {
      select: [
        "multiIf(properties.price > 5, 'high', properties.price > 1, 'low', 'none') as level",
        'count()',
      ],
      event: 'bought',
      orderBy: ['level'],
      ...all,
    },
    [
      ['high', 1],
      ['low', 1],
      ['none', 1],
    ],
  ],
  [
    {
      select: [
        "case when event = 'bought' then 'sale' when event = '$pageview' then 'view' else 'other' end as kind",
        'count()',
      ],
      orderBy: ['kind'],
      ...all,
    },
    [
      ['other', 1],
      ['sale', 3],
      ['view', 2],
    ],
  ],
  [
    {
      select: ["nullIf(properties.plan, 'free') as plan", 'count()'],
      event: 'bought',
      orderBy: ['plan'],
      ...all,
    },
    [
      ['pro', 2],
      [null, 1],
    ],
  ],
  [{ select: ['count()'], where: ['isNull(properties.plan)'], ...all }, [[2]]],
  [
    { select: ['count()'], where: ['properties.plan is not null'], ...all },
    [[4]],
  ],
  [
    { select: ['count()'], where: ['notEmpty(properties.utm_source)'], ...all },
    [[1]],
  ],
  [
    { select: ["properties.plan = 'pro' ? 1 : 0"], event: 'signed up', ...all },
    [[0]],
  ],
  // Counting.
  [
    {
      select: ["countIf(event = 'bought')", "countIf(event = '$pageview')"],
      ...all,
    },
    [[3, 2]],
  ],
  [{ select: ['uniq(person_id)', 'count(distinct event)'], ...all }, [[3, 3]]],
  [{ select: ["uniqIf(distinct_id, event = 'bought')"], ...all }, [[2]]],
  [
    {
      select: [
        "sumIf(properties.price, properties.plan = 'pro')",
        'avg(properties.price)',
      ],
      ...all,
    },
    [[10, 6.25]],
  ],
  [
    {
      select: ['median(properties.price)', 'quantile(0.9)(properties.price)'],
      ...all,
    },
    [[6.25, 9.25]],
  ],
  [
    { select: ['min(timestamp)', 'max(timestamp)'], event: 'bought', ...all },
    [['2026-11-19T10:15:30.000+01:00', '2026-11-21T00:30:00.000+01:00']],
  ],
  [
    {
      select: [
        'argMax(properties.plan, timestamp)',
        'argMin(properties.plan, timestamp)',
      ],
      ...all,
    },
    [['pro', 'free']],
  ],
  [
    { select: ['groupUniqArray(properties.plan)'], ...all },
    [[['free', 'pro']]],
  ],
  [{ select: ['any(event)'], event: 'signed up', ...all }, [['signed up']]],
  [
    { select: ['distinct_id', 'count() as n'], where: ['n > 1'], ...all },
    [
      ['ada', 3],
      ['lin', 2],
    ],
  ],
  [
    {
      select: ['event', 'count()'],
      where: ['count() between 2 and 3'],
      orderBy: ['event'],
      ...all,
    },
    [
      ['$pageview', 2],
      ['bought', 3],
    ],
  ],
  [{ select: ['count() -- total', 'count() as n'], ...all }, [[6, 6]]],
  // Arithmetic.
  [
    {
      select: ['properties.price * 1.2 + 1'],
      event: 'bought',
      where: ['properties.price > 5'],
      ...all,
    },
    [[13]],
  ],
  [
    {
      select: ['round(sum(properties.price) / count(), 2)'],
      event: 'bought',
      ...all,
    },
    [[4.17]],
  ],
  [
    {
      select: ["round(100 * countIf(event = 'bought') / count(), 1) as share"],
      ...all,
    },
    [[50]],
  ],
  [
    {
      select: [
        'floor(properties.price)',
        'ceil(properties.price)',
        'properties.price % 2',
        '-properties.price',
      ],
      event: 'bought',
      where: ["distinct_id = 'grace'"],
      ...all,
    },
    [[2, 3, 0.5, -2.5]],
  ],
  [
    { select: ['sum(toFloat(properties.price))'], event: 'bought', ...all },
    [[19.5]],
  ],
  [
    {
      select: ['toInt(properties.price)'],
      event: 'bought',
      where: ["distinct_id = 'grace'"],
      ...all,
    },
    [[2]],
  ],
  [
    {
      select: [
        'greatest(properties.price, 5)',
        'least(properties.price, 5)',
        'abs(-3)',
        'sqrt(16)',
        'pow(2, 3)',
      ],
      event: 'bought',
      where: ["distinct_id = 'grace'"],
      ...all,
    },
    [[5, 2.5, 3, 4, 8]],
  ],
  // Texts.
  [
    {
      select: [
        'lower(trim(properties.email))',
        'length(trim(properties.email))',
      ],
      where: ['properties.email is not null'],
      ...all,
    },
    [['ada@example.com', 15]],
  ],
  [
    {
      select: ["concat(event, ' by ', distinct_id)"],
      event: 'signed up',
      ...all,
    },
    [['signed up by lin']],
  ],
  [
    {
      select: [
        "event || '!'",
        'upper(event)',
        'substring(event, 1, 6)',
        'left(event, 2)',
      ],
      event: 'signed up',
      ...all,
    },
    [['signed up!', 'SIGNED UP', 'signed', 'si']],
  ],
  [
    {
      select: ["splitByChar('@', properties.email)[1]"],
      where: ["properties.email like '%@%'"],
      ...all,
    },
    [['Ada']],
  ],
  [
    {
      select: [
        "replaceAll(properties.$pathname, '/', '.')",
        "position(properties.$pathname, 'hello')",
      ],
      where: ["startsWith(properties.$pathname, '/blog')"],
      ...all,
    },
    [['.blog.hello-world', 7]],
  ],
  [
    {
      select: [
        'domain(properties.$current_url)',
        'path(properties.$current_url)',
        'cutQueryString(properties.$current_url)',
      ],
      where: ["properties.$current_url ilike '%COUPON%'"],
      ...all,
    },
    [['shop.example.com', '/cart/12', 'https://shop.example.com/cart/12#top']],
  ],
  [
    {
      select: [
        "replaceRegexpAll(path(properties.$current_url), '[0-9]+', ':id')",
        "extract(properties.$current_url, 'coupon=([a-z]+)')",
      ],
      where: ["match(properties.$current_url, 'cart/[0-9]+')"],
      ...all,
    },
    [['/cart/:id', 'x']],
  ],
  [
    {
      select: ['count()'],
      where: ["properties.$pathname =~ '^/blog/'"],
      ...all,
    },
    [[1]],
  ],
  [
    {
      select: ['count()'],
      where: ["properties.$pathname !~ '^/blog/' and event = '$pageview'"],
      ...all,
    },
    [[1]],
  ],
  [
    {
      select: ['toString(properties.price)', 'toString(timestamp)'],
      event: 'bought',
      where: ["distinct_id = 'grace'"],
      ...all,
    },
    [['2.5', '2026-11-20 13:00:00']],
  ],
  // Times, in the zone of the project.
  [
    {
      select: ['toDate(timestamp)', 'count()'],
      event: 'bought',
      orderBy: ['toDate(timestamp)'],
      ...all,
    },
    [
      ['2026-11-19', 1],
      ['2026-11-20', 1],
      ['2026-11-21', 1],
    ],
  ],
  [
    {
      select: ["toDate(timestamp, 'UTC') as day", 'count()'],
      event: 'bought',
      orderBy: ['day desc'],
      limit: 1,
      ...all,
    },
    [['2026-11-20', 2]],
  ],
  [
    {
      select: [
        'toStartOfWeek(timestamp)',
        'toStartOfMonth(timestamp)',
        'toMonday(timestamp)',
        'toStartOfWeek(timestamp, 0)',
      ],
      event: 'signed up',
      ...all,
    },
    [['2026-11-16', '2026-11-01', '2026-11-16', '2026-11-15']],
  ],
  [
    {
      select: [
        'toHour(timestamp)',
        'toDayOfWeek(timestamp)',
        'toYear(timestamp)',
        'toMonth(timestamp)',
        'toYYYYMM(timestamp)',
      ],
      event: 'signed up',
      ...all,
    },
    [[9, 1, 2026, 11, 202611]],
  ],
  [
    {
      select: [
        "toHour(toTimeZone(timestamp, 'America/New_York'))",
        "toTimeZone(timestamp, 'America/New_York')",
      ],
      event: 'signed up',
      ...all,
    },
    [[3, '2026-11-16T03:05:00.000-05:00']],
  ],
  [
    {
      select: ["dateTrunc('hour', timestamp)", "dateTrunc('month', timestamp)"],
      event: 'signed up',
      ...all,
    },
    [['2026-11-16T09:00:00.000+01:00', '2026-11-01']],
  ],
  [
    {
      select: [
        "dateDiff('day', timestamp, now())",
        "dateDiff('hour', timestamp, toDateTime('2026-11-16 12:00:00'))",
      ],
      event: 'signed up',
      ...all,
    },
    [[5, 3]],
  ],
  [
    {
      select: ["formatDateTime(timestamp, '%Y-%m-%d %H:%i')"],
      event: 'signed up',
      ...all,
    },
    [['2026-11-16 09:05']],
  ],
  [
    {
      select: ['count()'],
      where: ['timestamp > now() - interval 2 day'],
      ...all,
    },
    [[3]],
  ],
  [
    {
      select: ['count()'],
      where: [
        "timestamp >= toDateTime('2026-11-20 00:00:00') and timestamp < today()",
      ],
      ...all,
    },
    [[1]],
  ],
  [
    { select: ['count()'], where: ['toDate(timestamp) = yesterday()'], ...all },
    [[1]],
  ],
  [
    {
      select: ['count()'],
      where: ["timestamp between '2026-11-16' and '2026-11-17'"],
      ...all,
    },
    [[2]],
  ],
  [
    {
      select: [
        'addDays(timestamp, 1)',
        'subtractHours(timestamp, 2)',
        'timestamp + interval 1 month',
      ],
      event: 'signed up',
      ...all,
    },
    [
      [
        '2026-11-17T09:05:00.000+01:00',
        '2026-11-16T07:05:00.000+01:00',
        '2026-12-16T09:05:00.000+01:00',
      ],
    ],
  ],
  [
    {
      select: ["dateDiff('day', toDateTime(properties.signed_at), timestamp)"],
      where: ['properties.signed_at is not null'],
      ...all,
    },
    [[15]],
  ],
  [
    { select: ['event'], orderBy: ['-timestamp'], limit: 2, ...all },
    [['bought'], ['$pageview']],
  ],
  // Objects within properties.
  [
    {
      select: [
        'properties.items.first.sku',
        "JSONExtractInt(properties, 'items', 'first', 'count')",
        "properties['items']['first']['count'] + 1",
      ],
      where: ['properties.items.first.count > 1'],
      ...all,
    },
    [['A-1', 2, 3]],
  ],
  [
    {
      select: [
        "JSONExtractString(properties, 'a b')",
        "JSONHas(properties, 'plan')",
      ],
      event: 'signed up',
      ...all,
    },
    [['x', true]],
  ],
  [
    { select: ['event'], where: ['properties.trial = true'], ...all },
    [['bought']],
  ],
  [
    {
      select: ['count()'],
      where: [
        "event in ('bought', 'signed up') and not properties.plan in ['pro']",
      ],
      ...all,
    },
    [[2]],
  ],
  [
    {
      select: ['person_display_name', 'count()'],
      orderBy: ['count() desc', 'person_display_name'],
      limit: 1,
      ...all,
    },
    [['ada', 3]],
  ],
  // Queries that need an alternative.
  [
    { select: ['windowFunnel(86400)(timestamp, event)'], ...all },
    'FunnelsQuery',
  ],
  [
    { select: ['quantiles(0.5, 0.9)(properties.price)'], ...all },
    'quantile(0.9)(x)',
  ],
  [{ select: ['person.created_at'], ...all }, 'person.properties.<name>'],
  [
    {
      select: ['person.properties.email', 'person.id'],
      event: 'signed up',
      ...all,
    },
    [[null, 'lin']],
  ],
  [{ select: ['arrayJoin(properties.items)'], ...all }, 'splitByChar'],
  [
    { select: ['event'], where: ["match(event, '(a+)+$')"], ...all },
    'repeats a group',
  ],
  [{ select: ["dictGet('x', event)"], ...all }, 'properties.<name>'],
  [
    { select: ["toTimeZone(timestamp, 'Mars/Olympus')"], ...all },
    "'Europe/Zurich'",
  ],
  [{ select: ['event'], where: ['event = "bought"'], ...all }, 'single quotes'],
  [{ personId: 'x' }, 'person_id'],
  [{ actionId: 4 }, 'event and properties'],
  [
    {
      select: [
        'toStartOfInterval(timestamp, interval 15 minute)',
        "toStartOfInterval(timestamp, INTERVAL '1 week')",
        '$session_id',
      ],
      event: 'signed up',
      ...all,
    },
    [['2026-11-16T09:00:00.000+01:00', '2026-11-16', null]],
  ],
  [
    { select: ['toStartOfInterval(timestamp, interval 7 minute)'], ...all },
    '5, 10 or 15 minutes',
  ],
  [{ select: ['person'], ...all }, 'person.properties.<name>'],
  [{ select: ['elements_chain'], ...all }, 'properties.$elements_chain'],
  [
    { select: ['event'], where: ['person_id in cohort 2'] },
    'needs the id of a cohort',
  ],
];

export const HOGQL: readonly (readonly [
  string | Query,
  readonly (readonly unknown[])[] | string,
])[] = [
  [
    'SELECT event, count() FROM events GROUP BY event ORDER BY count() DESC, event',
    [
      ['bought', 3],
      ['$pageview', 2],
      ['signed up', 1],
    ],
  ],
  [
    'select event as e, count() as n from events where timestamp > now() - interval 3 day group by e having n > 1 order by n desc limit 10',
    [['bought', 3]],
  ],
  [
    'SELECT toStartOfDay(timestamp) AS day, uniq(person_id) FROM events GROUP BY day ORDER BY day LIMIT 2',
    [
      ['2026-11-16T00:00:00.000+01:00', 1],
      ['2026-11-19T00:00:00.000+01:00', 1],
    ],
  ],
  [
    'SELECT avg(n), max(n) FROM (SELECT distinct_id, count() AS n FROM events GROUP BY distinct_id)',
    [[2, 3]],
  ],
  [
    'WITH people AS (SELECT distinct_id, min(timestamp) AS first FROM events GROUP BY distinct_id) SELECT toDate(first) AS day, count() FROM people GROUP BY day ORDER BY day',
    [
      ['2026-11-16', 1],
      ['2026-11-19', 1],
      ['2026-11-20', 1],
    ],
  ],
  [
    'SELECT DISTINCT properties.plan FROM events ORDER BY 1',
    [['free'], ['pro'], [null]],
  ],
  [
    "SELECT e.event FROM events AS e WHERE e.distinct_id = 'lin' ORDER BY e.timestamp DESC LIMIT 1",
    [['signed up']],
  ],
  [
    'SELECT event, count() FROM events GROUP BY 1 ORDER BY 2 DESC LIMIT 1 OFFSET 1',
    [['$pageview', 2]],
  ],
  ['SELECT count() FROM events WHERE event = {name} -- a comment', [[3]]],
  ['SELECT count() FROM events WHERE {filters}', [[2]]],
  ['SELECT count() AS n, n * 2 FROM events;', [[6, 12]]],
  ["SELECT 1 AS one, 'x' AS text FROM events LIMIT 1", [[1, 'x']]],
  ['SELECT * FROM persons', 'person_id'],
  ['SELECT event FROM events JOIN persons ON 1 = 1', 'FunnelsQuery'],
  ['SELECT event FROM events, events', 'FunnelsQuery'],
  ["SELECT * FROM file('/etc/passwd')", 'neither events nor a subquery'],
  [
    "SELECT * FROM url('http://169.254.169.254')",
    'neither events nor a subquery',
  ],
  ['SELECT * FROM system.tables', 'neither events nor a subquery'],
  [
    'SELECT event FROM events UNION ALL SELECT event FROM events',
    'send two queries',
  ],
  ['SELECT event FROM events SETTINGS readonly = 0', 'must end'],
  ["SELECT event FROM events INTO OUTFILE '/tmp/x'", 'must end'],
  ['SELECT event FROM events FORMAT CSV', 'must end'],
  ['SELECT event FROM events; DROP TABLE events', 'cannot be parsed'],
  ['INSERT INTO events VALUES (1)', 'needs SELECT'],
  ['SELECT hostName() FROM events', 'hostName'],
  ["SELECT getSetting('x') FROM events", 'getSetting'],
  ['SELECT sleep(3) FROM events', 'sleep'],
  ['SELECT project_id FROM events', "names 'project_id'"],
  ['SELECT texts FROM events', "names 'texts'"],
  [
    'SELECT event, count() FROM events',
    [
      ['$pageview', 2],
      ['bought', 3],
      ['signed up', 1],
    ],
  ],
  [
    'SELECT event, count() FROM events GROUP BY distinct_id',
    'cannot be combined with aggregates',
  ],
  ['SELECT count(count()) FROM events', 'nests an aggregate'],
  ['SELECT count() FROM events WHERE count() > 1', 'use HAVING'],
  ['SELECT event FROM events LIMIT 1 BY event', 'LIMIT BY'],
  ['SELECT event FROM events LIMIT 60000', 'at most 50000'],
  ['SELECT {missing} FROM events', 'query.values'],
  ['SELECT /* all of them */ count() FROM events', [[6]]],
  ['SELECT count() FROM events WHERE event = {variables.event_name}', [[3]]],
  ['SELECT {variables.missing} FROM events', 'query.variables'],
  [
    'SELECT count() FROM events WHERE timestamp > {filters.dateRange.from}',
    'use {filters}',
  ],
  [
    'SELECT e.event, p.id FROM events e JOIN persons p ON p.id = e.person_id',
    'person.properties.<name> needs no join',
  ],
  [
    "SELECT count() FROM events WHERE person_id IN (SELECT person_id FROM events WHERE event = 'bought')",
    [[4]],
  ],
  [
    "SELECT count() FROM events WHERE person_id NOT IN (SELECT person_id FROM events WHERE event = 'bought')",
    [[2]],
  ],
  [
    "WITH buyers AS (SELECT person_id FROM events WHERE event = 'bought' GROUP BY person_id HAVING count() > 1) SELECT event, count() FROM events WHERE person_id IN buyers GROUP BY event ORDER BY event",
    [
      ['$pageview', 1],
      ['bought', 2],
    ],
  ],
  [
    'SELECT event, count() FROM events WHERE properties.price IN (SELECT max(properties.price) FROM events) GROUP BY event',
    [['bought', 1]],
  ],
  [
    'SELECT count() FROM events WHERE properties.plan NOT IN (SELECT properties.plan FROM events WHERE distinct_id = {name})',
    [[6]],
  ],
  [
    "SELECT event, count() FROM events GROUP BY event HAVING event IN (SELECT event FROM events WHERE distinct_id = 'lin') ORDER BY event",
    [
      ['$pageview', 2],
      ['signed up', 1],
    ],
  ],
  [
    'SELECT count() FROM events WHERE event IN (SELECT event, person_id FROM events)',
    'exactly one column',
  ],
  [
    'SELECT count() FROM events WHERE event IN (SELECT count() FROM events)',
    'compares a string with a subquery whose column is a number',
  ],
  [
    `WITH a AS (SELECT event FROM events), ${['b', 'c', 'd', 'e']
      .map(
        (name, index) =>
          `${name} AS (SELECT event FROM events WHERE event IN ${'abcd'[index]} OR event IN ${'abcd'[index]})`,
      )
      .join(', ')} SELECT count() FROM events WHERE event IN e`,
    'more than 20 queries',
  ],
  [
    "SELECT count() FROM (SELECT person_id, countIf(event = 'bought') AS bought FROM events GROUP BY person_id) WHERE bought > 0",
    [[2]],
  ],
  ["SELECT 'unfinished FROM events", 'cannot be parsed'],
  [`SELECT ${'('.repeat(300)}1${')'.repeat(300)} FROM events`, 'nested deeper'],
  [`SELECT ${'1+'.repeat(300)}1 FROM events`, 'operators in a row'],
  [
    `SELECT count() FROM ${'(SELECT event FROM '.repeat(9)}events${')'.repeat(9)}`,
    'nested deeper',
  ],
];
