import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openStore } from '../../__testUtils__/openStore.ts';
import { testEngines } from '../../__testUtils__/startAnalytics.ts';
import type { EventStore } from '../../store/EventStore.ts';
import { answerQuery } from '../answerQuery.ts';
import type { Query } from '../schemas.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const DAY_MS = 24 * 3_600_000;
/** More events than any engine collects per person by default. */
const VISITS = 100_100;
const FIRST = NOW - DAY_MS;

const uuidOf = (number: number) =>
  `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
const eventOf = (number: number, event: string, timestamp: number) => ({
  projectId: 'shop',
  uuid: uuidOf(number),
  event,
  distinctId: 'bot',
  timestamp,
  createdAt: NOW,
  properties: JSON.stringify({ page: `/${number}` }),
});

/** A bot visits a page every 100 ms, then buys twice; the last step follows the last visit. */
const EVENTS = [
  ...Array.from({ length: VISITS }, (_, number) =>
    eventOf(number, 'visited', FIRST + number * 100),
  ),
  eventOf(VISITS, 'bought', FIRST + VISITS * 100),
  eventOf(VISITS + 1, 'paid', FIRST + VISITS * 100 + 1_000),
];

describe.each(testEngines)('a person with very many events on %s', engine => {
  let directory: string;
  let store: EventStore;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'many-'));
    store = openStore(engine, directory);
    for (let at = 0; at < EVENTS.length; at += 20_000) {
      await store.append(EVENTS.slice(at, at + 20_000));
    }
  });

  afterAll(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });

  const ask = (query: Query) =>
    answerQuery(query, {
      projectId: 'shop',
      now: NOW,
      calendar: { zone: 'UTC', weekStart: 0 },
      hidesPeople: false,
      ask: plan => store.query(plan),
    });
  const node = (event: string) => ({ kind: 'EventsNode' as const, event });
  const dateRange = { date_from: '-3d' };

  it.each([
    ['ordered', [1, 1, 1]],
    ['strict', [1, 1, 1]],
    ['unordered', [1, 1, 1]],
  ] as const)(
    'follows every event in a funnel of %s steps',
    async (funnelOrderType, counts) => {
      const { results } = await ask({
        kind: 'FunnelsQuery',
        series: ['visited', 'bought', 'paid'].map(node),
        dateRange,
        funnelsFilter: {
          funnelOrderType,
          // Only the last visits are within the window of the purchase.
          funnelWindowInterval: 2,
          funnelWindowIntervalUnit: 'second',
        },
      });
      expect((results as any[]).map(({ count }) => count)).toEqual(counts);
    },
  );

  it('counts every occurrence of the returning event', async () => {
    const { results } = await ask({
      kind: 'RetentionQuery',
      dateRange,
      retentionFilter: {
        period: 'Week',
        totalIntervals: 1,
        targetEntity: { id: 'visited' },
        returningEntity: { id: 'visited' },
        minimumOccurrences: 1_000,
      },
    });
    expect(results).toMatchObject([{ values: [{ count: 1 }] }]);
  });

  it('finds the path to the last event, and reports omitted edges', async () => {
    const whole = await ask({
      kind: 'PathsQuery',
      dateRange,
      pathsFilter: { endPoint: 'paid', stepLimit: 3 },
    });
    expect(whole).toMatchObject({
      results: [
        { source: '1_visited', target: '2_bought', value: 1 },
        { source: '2_bought', target: '3_paid', value: 1 },
      ],
      hasMore: false,
    });
    const short = await ask({
      kind: 'PathsQuery',
      dateRange,
      pathsFilter: { edgeLimit: 1 },
    });
    expect(short).toMatchObject({ hasMore: true });
    expect(short.results).toHaveLength(1);
  });

  it('lists every value', async () => {
    const { results } = await ask({
      kind: 'HogQLQuery',
      query:
        'SELECT length(groupArray(event)), length(groupUniqArray(properties.page)) FROM events',
    });
    expect(results).toEqual([[EVENTS.length, EVENTS.length]]);
  });
});
