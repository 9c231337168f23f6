import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openStore } from '../../__testUtils__/openStore.ts';
import { allEngines } from '../../__testUtils__/startAnalytics.ts';
import type { EventStore } from '../../store/EventStore.ts';
import { answerQuery } from '../answerQuery.ts';
import type { InsightAnswer, Query } from '../schemas.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const TIME = NOW - 3_600_000;
const TODAY = { date_from: '2026-11-21' };
const SEVENTIES = { date_from: 'all', date_to: '1970-02-01' };
const PLANS = ['free', 'pro', 'team', 'été'];

/** The two halves of the id sort in opposite orders, as engines may compare either half first. */
const uuidOf = (person: number, place: number) =>
  `0000${place}000-0000-4000-8000-${(person * 10 + 9 - place).toString(16).padStart(12, '0')}`;

const eventOf = (
  person: number,
  place: number,
  { event, plan, timestamp = TIME }: Record<string, any>,
) => ({
  projectId: 'shop',
  uuid: uuidOf(person, place),
  event,
  distinctId: `person-${person}`,
  timestamp,
  createdAt: NOW,
  properties: JSON.stringify({ plan }),
});

/** People with events in the same millisecond, stored in every rotation of their order. */
const AT_ONCE = PLANS.flatMap((_, person) => {
  const events = PLANS.map((plan, place) =>
    eventOf(person, place, { event: place % 2 === 0 ? 'a' : 'b', plan }),
  );
  return [...events.slice(person), ...events.slice(0, person)];
});
/** A person with events around the Unix epoch. */
const EARLY = [
  eventOf(9, 1, { event: 'a', plan: 'pro', timestamp: 1_000 }),
  eventOf(9, 2, { event: 'b', plan: 'team', timestamp: 256_000 }),
  eventOf(9, 0, { event: 'a', plan: 'free', timestamp: -256_000 }),
];

/** Servers do not find events before 1970. */
const EARLY_TOUCHES = [
  ['first_touch', SEVENTIES, [['free', 1]]],
  ['last_touch', SEVENTIES, [['team', 1]]],
] as const;

describe.each(allEngines)('events of one millisecond on %s', engine => {
  let directory: string;
  let store: EventStore;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'equal-'));
    store = openStore(engine, directory);
    await store.append([...AT_ONCE, ...EARLY]);
  });

  afterAll(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });

  const ask = async (query: Query) => {
    const answer = await answerQuery(query, {
      projectId: 'shop',
      now: NOW,
      calendar: { zone: 'UTC', weekStart: 0 },
      hidesPeople: false,
      ask: plan => store.query(plan),
    });
    return (answer as InsightAnswer).results as any[];
  };

  it.each([
    ['first_touch', TODAY, [['free', 4]]],
    ['last_touch', TODAY, [['été', 4]]],
    ...EARLY_TOUCHES.filter(() => engine !== 'clickhouse'),
  ] as const)(
    'have the same value by %s in a funnel of %j',
    async (attribution, dateRange, expected) => {
      const results = await ask({
        kind: 'FunnelsQuery',
        series: ['a', 'b'].map(event => ({ kind: 'EventsNode', event })),
        dateRange,
        funnelsFilter: { breakdownAttributionType: attribution },
        breakdownFilter: { breakdown: 'plan' },
      });
      expect(
        results.map(([first]) => [first.breakdown_value[0], first.count]),
      ).toEqual(expected);
    },
  );

  it('follow each other in paths by their ids', async () => {
    const results = await ask({ kind: 'PathsQuery', dateRange: TODAY });
    expect(
      results.map(({ source, target, value }) => [source, target, value]),
    ).toEqual([
      ['1_a', '2_b', 4],
      ['2_b', '3_a', 4],
      ['3_a', '4_b', 4],
    ]);
  });
});
