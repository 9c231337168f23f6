import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openStore } from '../../__testUtils__/openStore.ts';
import { allEngines } from '../../__testUtils__/startAnalytics.ts';
import type { EventStore } from '../../store/EventStore.ts';
import { answerQuery } from '../answerQuery.ts';
import type { Query } from '../schemas.ts';
import { CASES, EVENTS, HOGQL, NOW } from './__testUtils__/userQueryCases.ts';

const CALENDAR = { zone: 'Europe/Zurich', weekStart: 1 } as const;
const hogql = (query: string): Query => ({ kind: 'HogQLQuery', query });

describe.each(allEngines)('queries of users on %s', engine => {
  let directory: string;
  let store: EventStore;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'user-queries-'));
    store = openStore(engine, directory);
    await store.append(
      EVENTS.map(([event, distinctId, timestamp, properties], index) => ({
        projectId: 'shop',
        uuid: `01a1fd90-4447-707d-b85d-00000000000${index}`,
        event,
        distinctId,
        timestamp: Date.parse(timestamp),
        createdAt: NOW,
        properties: JSON.stringify(properties),
      })),
    );
  });

  afterAll(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });

  const ask = (query: Query) =>
    answerQuery(query, {
      projectId: 'shop',
      now: NOW,
      calendar: CALENDAR,
      hidesPeople: false,
      ask: plan => store.query(plan),
    });

  const check = async (
    query: Query,
    expected: readonly (readonly unknown[])[] | string,
  ) => {
    if (typeof expected === 'string') {
      await expect(ask(query)).rejects.toMatchObject({
        name: 'InvalidRequestError',
        message: expect.stringContaining(expected),
      });
    } else {
      expect((await ask(query)).results).toEqual(expected);
    }
  };

  // eslint-disable-next-line jest/expect-expect
  it.each(CASES)('answers or refuses %j', (query, expected) =>
    check({ kind: 'EventsQuery', ...query }, expected),
  );

  // eslint-disable-next-line jest/expect-expect
  it.each(HOGQL)('answers or refuses %s', (query, expected) =>
    check(
      {
        ...hogql(String(query)),
        values: { name: 'bought' },
        variables: { a: { code_name: 'event_name', value: 'bought' } },
        filters: {
          properties: [{ key: 'plan', value: 'pro' }],
          dateRange: { date_from: '2026-11-19' },
        },
      },
      expected,
    ),
  );
});

/** Returns the outcome of a query: its rows, or the message that names what to use instead. */
async function outcomeOf(
  query: Query,
  expected: readonly (readonly unknown[])[] | string,
): Promise<string> {
  if (typeof expected !== 'string') {
    return 'answered';
  }
  const answer = answerQuery(query, {
    projectId: 'shop',
    now: NOW,
    calendar: CALENDAR,
    hidesPeople: false,
    ask: async () => ({ rows: [] }),
  });
  return answer.then(
    () => 'answered',
    (error: Error) => `400: ${error.message}`,
  );
}

/** Formats a Markdown table like Prettier. */
function tableOf(lines: readonly (readonly string[])[]): string {
  const cells = lines.map(line =>
    line.map(cell => cell.replaceAll('|', '\\|')),
  );
  const widths = cells[0].map((_, column) =>
    Math.max(...cells.map(line => line[column].length)),
  );
  const write = (line: readonly string[], filler = ' ') =>
    `| ${line
      .map((cell, column) => cell.padEnd(widths[column], filler))
      .join(' | ')} |`;
  const [head, ...rest] = cells;
  return [
    write(head),
    write(
      head.map(() => '-'),
      '-',
    ),
    ...rest.map(line => write(line)),
  ].join('\n');
}

it('are listed in the documentation', async () => {
  const shown = (text: string) =>
    `\`${text.length > 160 ? `${text.slice(0, 160)}…` : text}\``;
  const events = CASES.map(async ([query, expected]) => {
    const { after: _, ...rest } = query;
    return [
      shown(JSON.stringify(rest)),
      await outcomeOf({ kind: 'EventsQuery', ...query }, expected),
    ];
  });
  const tables = HOGQL.map(async ([query, expected]) => [
    shown(String(query)),
    await outcomeOf(
      { ...hogql(String(query)), values: { name: 'bought' } },
      expected,
    ),
  ]);
  await expect(`# Queries of PostHog users

The kinds of queries that users of PostHog write, and what the [analytics service](../services/analytics/README.md#queries)
does with each. \`userQueries.test.ts\` runs them on every engine, compares the rows of those that are
answered with rows computed by hand, and writes this page: \`npx vitest run userQueries -u\`. \`rawSql.test.ts\`
compares the same rows with those of ClickHouse for equivalent SQL, without the service's parser and planner.

## EventsQuery

${tableOf([['Query', 'Result'], ...(await Promise.all(events))])}

## HogQLQuery

${tableOf([['Query', 'Result'], ...(await Promise.all(tables))])}
`).toMatchFileSnapshot(
    path.join(import.meta.dirname, '../../../../../docs/analytics-queries.md'),
  );
});
