import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import { answerByHand } from '../__testUtils__/answerByHand.ts';
import { openStore } from '../__testUtils__/openStore.ts';
import { clickhouseUrl } from '../__testUtils__/clickhouseSetup.ts';
import {
  allEngines,
  type TestEngine,
} from '../__testUtils__/startAnalytics.ts';
import type { AnalyticsEvent } from '../events/AnalyticsEvent.ts';
import { type EventsQuery, planEventsQuery } from '../query/planEventsQuery.ts';
import type { EventStore } from './EventStore.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');
const DAY_MS = 24 * 3_600_000;
const RUNS = Number(process.env.RUNS ?? 60);

/** Texts that break carelessly concatenated statements. */
const hostile = [
  "'",
  "';--",
  '"',
  '\\',
  "\\'",
  '%',
  '_',
  '*/',
  '{x:String}',
  '@p0',
  '?',
  'é',
  'Ünï',
  '😀',
  '\n',
  '',
];
const text = fc.oneof(
  fc.constantFrom(...hostile),
  fc.string({ unit: 'grapheme-ascii', maxLength: 4 }),
);
const propertyName = fc.constantFrom(
  'plan',
  'a b',
  '$browser',
  "it's",
  'x"y',
  'n\\m',
  '1',
);
const number = fc.integer({ min: -4_000, max: 4_000 }).map(each => each / 4);
const propertyValue = fc.oneof(
  text,
  number,
  fc.boolean(),
  fc.constant(null),
  fc.constant([1, 'a']),
  fc.constant({ b: { c: '"' } }),
);
const eventName = fc.constantFrom(
  'opened',
  'bought',
  ...hostile.slice(0, 5),
  'ÜBER',
);

function eventOf(projectId: string): fc.Arbitrary<AnalyticsEvent> {
  return fc.record({
    projectId: fc.constantFrom(projectId, `${projectId}-other`),
    uuid: fc
      .integer({ min: 0, max: 30 })
      .map(n => `01a1fd90-4447-707d-b85d-${String(n).padStart(12, '0')}`),
    event: eventName,
    distinctId: fc.constantFrom('ada', 'grace', 'Ada', ...hostile.slice(0, 4)),
    timestamp: fc.integer({ min: NOW - 40 * DAY_MS, max: NOW - 1 }),
    createdAt: fc.constant(NOW),
    properties: fc
      .dictionary(propertyName, propertyValue, { maxKeys: 4 })
      .map(each => JSON.stringify(each)),
  });
}

const quoted = (value: string) =>
  `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
const property = propertyName.map(name => `properties[${quoted(name)}]`);
const rowExpression = fc.oneof(
  fc.constantFrom(
    'event',
    'distinct_id',
    'timestamp',
    'uuid',
    'toDate(timestamp)',
    'toStartOfHour(timestamp)',
    'toStartOfDay(timestamp)',
    'toStartOfWeek(timestamp)',
    'toStartOfMonth(timestamp)',
  ),
  property,
);
const aggregate = fc.oneof(
  fc.constantFrom(
    'count()',
    'count(distinct distinct_id)',
    'uniq(event)',
    'min(timestamp)',
    'max(event)',
  ),
  fc
    .tuple(
      fc.constantFrom('sum', 'avg', 'min', 'max', 'count', 'uniq'),
      property,
    )
    .map(([name, of]) => `${name}(${of})`),
);
const textCondition = fc
  .tuple(
    fc.oneof(fc.constantFrom('event', 'distinct_id'), property),
    fc.oneof(
      fc
        .tuple(fc.constantFrom('=', '!=', '<', '>='), text)
        .map(([operator, value]) => `${operator} ${quoted(value)}`),
      fc
        .array(text, { minLength: 1, maxLength: 3 })
        .map(values => `in (${values.map(quoted).join(', ')})`),
      fc
        .tuple(fc.constantFrom('like', 'not like', 'ilike'), text)
        .filter(([, pattern]) => !/\\$/.test(pattern))
        .map(([operator, value]) => `${operator} ${quoted(`%${value}_`)}`),
      fc.constantFrom('is null', 'is not null'),
    ),
  )
  .map(([left, rest]) => `${left} ${rest}`);
const numberCondition = fc
  .tuple(property, fc.constantFrom('=', '!=', '<', '>'), number)
  .map(([left, operator, value]) => `${left} ${operator} ${value}`);
const condition = fc
  .array(fc.oneof(textCondition, numberCondition), {
    minLength: 1,
    maxLength: 3,
  })
  .chain(parts =>
    fc.constantFrom(
      parts.join(' and '),
      parts.join(' or '),
      `not (${parts.join(' or ')})`,
    ),
  );

const query: fc.Arbitrary<EventsQuery> = fc.record(
  {
    kind: fc.constant('EventsQuery' as const),
    select: fc.oneof(
      fc.constant<string[]>(['*']),
      fc.array(rowExpression, { minLength: 1, maxLength: 4 }),
      fc
        .tuple(
          fc.array(rowExpression, { maxLength: 2 }),
          fc.array(aggregate, { minLength: 1, maxLength: 3 }),
        )
        .map(([rows, aggregates]) => [...rows, ...aggregates]),
    ),
    event: eventName,
    after: fc.constantFrom('all', '-20d', '2026-10-20'),
    before: fc.constantFrom('2026-11-21T08:00:00Z', '2026-11-10'),
    where: fc.array(condition, { maxLength: 2 }),
    limit: fc.integer({ min: 1, max: 20 }),
    offset: fc.integer({ min: 0, max: 5 }),
  },
  { requiredKeys: ['kind', 'select', 'after'] },
);

const engines: TestEngine[] = clickhouseUrl()
  ? [...allEngines, 'clickhouse cluster']
  : allEngines;

describe.each(engines)('events in %s', engine => {
  let directory: string;
  let store: EventStore;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'event-store-'));
    store = openStore(engine, directory);
  });

  afterAll(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });

  let project = 0;

  it(
    'match the same query over a plain list',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constant(undefined).chain(() => {
            project += 1;
            const projectId = `project-${project}`;
            return fc.record({
              projectId: fc.constant(projectId),
              events: fc.array(eventOf(projectId), { maxLength: 40 }),
              queries: fc.array(query, { minLength: 6, maxLength: 6 }),
            });
          }),
          async ({ projectId, events, queries }) => {
            const id = `${projectId}-${Math.random()}`;
            const own = events.map(each => ({
              ...each,
              projectId: each.projectId.replace(projectId, id),
            }));
            const half = Math.floor(own.length / 2);
            await store.append(own.slice(0, half));
            // Move some events to the columns; the others are still in the journal.
            await store.moveMany(1);
            await store.append(own.slice(half));
            for (const asked of queries) {
              const plan = planEventsQuery(asked, { projectId: id, now: NOW });
              const { rows } = await store.query(plan);
              expect({ asked, rows }).toEqual({
                asked,
                rows: answerByHand(own, plan),
              });
            }
          },
        ),
        {
          numRuns: RUNS,
          ...(process.env.SEED && { seed: Number(process.env.SEED) }),
        },
      );
    },
    patient(RUNS * 5_000),
  );

  it('are found regardless of their time', async () => {
    const events = Array.from({ length: 136 * 12 }, (_, month) => ({
      projectId: 'ages',
      uuid: randomUUID(),
      event: 'opened',
      distinctId: 'ada',
      timestamp: Date.UTC(1970, month, 2, 3, 4, 5, 6),
      createdAt: NOW,
      properties: '{}',
    }));
    await store.append(events);
    const plan = planEventsQuery(
      {
        kind: 'EventsQuery',
        select: ['timestamp'],
        orderBy: ['timestamp'],
        after: 'all',
        before: '2105-12-31',
        limit: 5_000,
      },
      { projectId: 'ages', now: NOW },
    );
    const { rows } = await store.query(plan);
    expect(rows).toEqual(events.map(({ timestamp }) => [timestamp]));
  });
});
