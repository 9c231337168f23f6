import {
  clickhouseUrl,
  runOnClickhouse,
} from '../../__testUtils__/clickhouseSetup.ts';
import type { Query } from '../schemas.ts';
import { CASES, EVENTS, HOGQL } from './__testUtils__/userQueryCases.ts';

type Rows = readonly (readonly unknown[])[];

const TABLE = 'raw_queries.events';
const TEXTS = [
  'plan',
  '$current_url',
  '$browser',
  '$pathname',
  '$referring_domain',
  'utm_source',
  'email',
  'signed_at',
];
const PROPERTIES = [
  ...TEXTS.map(name => `\`${name}\` Nullable(String)`),
  'price Nullable(Float64)',
  'price_text Nullable(String)',
  'trial Nullable(Bool)',
  'items Tuple(first Tuple(sku Nullable(String), count Nullable(Int64)))',
];

/** The replacements that turn HogQL into ClickHouse's SQL. */
const DIALECT: readonly (readonly [RegExp, string])[] = [
  // A number and a text that looks like one are different values of a property.
  [/toFloat\(properties\.price\)/g, 'toFloat64OrNull(properties.price_text)'],
  [
    /toInt\(properties\.price\)/g,
    'toInt64(toFloat64OrNull(properties.price_text))',
  ],
  [/properties\['(\w+)'\]\['(\w+)'\]\['(\w+)'\]/g, 'properties.$1.$2.$3'],
  [/(JSON\w+)\(properties,/g, '$1(json,'],
  [/properties\.(\$\w+)/g, 'properties.`$1`'],
  [/(\S+) =~ ('[^']*')/g, 'match($1, $2)'],
  [/(\S+) !~ ('[^']*')/g, 'not match($1, $2)'],
  // An array cannot be null in ClickHouse.
  [/splitByChar\('@', (\S+)\)/g, "splitByChar('@', ifNull($1, ''))"],
  [/toStartOfWeek\(timestamp\)/g, 'toStartOfWeek(timestamp, 1)'],
  [/\bnow\(\)/g, "toDateTime('2026-11-21 11:00:00')"],
  [/\btoday\(\)/g, "toDate('2026-11-21')"],
  [/\byesterday\(\)/g, "toDate('2026-11-20')"],
  [/\{name\}|\{variables\.event_name\}/g, "'bought'"],
  [/\$session_id/g, 'NULL'],
  // An absent property is not in any list.
  [/properties\.plan NOT IN/g, "ifNull(properties.plan, '-') NOT IN"],
  [/\{filters\}/g, "properties.plan = 'pro' and timestamp >= '2026-11-19'"],
  [/\bfrom events\b/gi, `FROM ${TABLE}`],
  [/;$/, ''],
];

const AGGREGATE =
  /\b(?:any|arg(?:Max|Min)|avg|count|countIf|groupUniqArray|max|median|min|quantile|sum|sumIf|uniq|uniqIf)\(/;

/** Queries without GROUP BY, which SQL requires. */
const UNGROUPED = new Set(['SELECT event, count() FROM events']);

const translate = (text: string) =>
  DIALECT.reduce(
    (sql, [pattern, replacement]) => sql.replace(pattern, replacement),
    text,
  );

/** Converts an `EventsQuery` to SQL by text replacements only, without parser and planner. */
function sqlOf(query: Partial<Query>): string {
  const { select, event, where, orderBy, limit } = query as {
    select: string[];
    event?: string;
    where?: string[];
    orderBy?: string[];
    limit?: number;
  };
  const aliases = select
    .filter(each => AGGREGATE.test(each))
    .map(each => / as (\w+)$/.exec(each)?.[1]);
  const isAggregate = (text: string) =>
    AGGREGATE.test(text) || aliases.includes(/^\w+/.exec(text)?.[0]);
  const filters = [
    ...(event === undefined ? [] : [`event = '${event}'`]),
    ...(where ?? []).filter(each => !isAggregate(each)),
  ];
  const having = (where ?? []).filter(isAggregate);
  const conjunction = (texts: readonly string[]) =>
    texts.map(each => `(${translate(each)})`).join(' AND ');
  return [
    `SELECT ${select.map(translate).join('\n, ')}`,
    `FROM ${TABLE}`,
    filters.length > 0 && `WHERE ${conjunction(filters)}`,
    select.some(isAggregate) && !select.every(isAggregate) && 'GROUP BY ALL',
    having.length > 0 && `HAVING ${conjunction(having)}`,
    orderBy &&
      `ORDER BY ${orderBy.map(each => translate(each).replace(/^-(.*)$/, '$1 DESC')).join(', ')}`,
    limit !== undefined && `LIMIT ${limit}`,
  ]
    .filter(Boolean)
    .join('\n');
}

async function rowsOf(sql: string): Promise<Rows> {
  const text = await runOnClickhouse(
    `${sql}\nSETTINGS session_timezone = 'Europe/Zurich', output_format_json_quote_64bit_integers = 0 FORMAT JSONCompact`,
  );
  return JSON.parse(text).data;
}

/** Makes values comparable: times as local times, booleans as numbers, sets sorted. */
function comparable(value: unknown): unknown {
  if (typeof value === 'string') {
    return value
      .replace(/^([-\d]{10})T([:\d]{8})\.(\d{3})[-+]\d\d:\d\d$/, '$1 $2.$3')
      .replace(/^([-\d]{10} [:\d]{8})\.000$/, '$1');
  }
  if (Array.isArray(value)) {
    return value.map(comparable).sort();
  }
  return typeof value === 'boolean' ? Number(value) : value;
}

function normalized(rows: Rows, isOrdered: boolean): unknown[] {
  const values = rows.map(row => JSON.stringify(row.map(comparable)));
  return isOrdered ? values : values.sort();
}

const events = CASES.filter(([, expected]) => typeof expected !== 'string').map(
  ([query, expected]) =>
    [
      sqlOf(query),
      expected as Rows,
      'orderBy' in query || 'limit' in query,
    ] as const,
);
const hogql = HOGQL.filter(([, expected]) => typeof expected !== 'string').map(
  ([query, expected]) => {
    const grouped = UNGROUPED.has(String(query)) ? ' GROUP BY ALL' : '';
    const sql = `${translate(String(query))}${grouped}`;
    return [sql, expected as Rows, /order by/i.test(sql)] as const;
  },
);

describe.runIf(clickhouseUrl())('raw SQL', () => {
  beforeAll(async () => {
    await runOnClickhouse('CREATE DATABASE IF NOT EXISTS raw_queries');
    await runOnClickhouse(`CREATE OR REPLACE TABLE ${TABLE} (
      event String,
      distinct_id String,
      person_id String ALIAS distinct_id,
      person_display_name String ALIAS distinct_id,
      person Tuple(id String, properties Tuple(email Nullable(String))),
      timestamp DateTime64(3, 'Europe/Zurich'),
      properties Tuple(${PROPERTIES.join(', ')}),
      json String
    ) ENGINE = MergeTree ORDER BY timestamp`);
    const rows = EVENTS.map(([event, id, timestamp, properties]) => {
      const { price, ...others } = properties as Record<string, unknown>;
      return JSON.stringify({
        event,
        distinct_id: id,
        person: { id },
        timestamp,
        properties: {
          ...others,
          ...(typeof price === 'number' && { price }),
          ...(price !== undefined && { price_text: String(price) }),
        },
        json: JSON.stringify(properties),
      });
    });
    await runOnClickhouse(
      `INSERT INTO ${TABLE} SETTINGS date_time_input_format = 'best_effort', input_format_skip_unknown_fields = 1 FORMAT JSONEachRow\n${rows.join('\n')}`,
    );
  });

  it.each([...events, ...hogql])(
    'has the expected rows: %s',
    async (sql, expected, isOrdered) => {
      expect(normalized(await rowsOf(sql), isOrdered)).toEqual(
        normalized(expected, isOrdered),
      );
    },
  );
});
