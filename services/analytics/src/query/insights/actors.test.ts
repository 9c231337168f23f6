import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { isOneOfPeople } from '../../cohorts/cohortCondition.ts';
import { openStore } from '../../__testUtils__/openStore.ts';
import { allEngines } from '../../__testUtils__/startAnalytics.ts';
import type { EngineName, EventStore } from '../../store/EventStore.ts';
import { answerQuery } from '../answerQuery.ts';
import type { ActorsSource, Query, QueryAnswer } from '../schemas.ts';
import type { Calendar } from '../time/zones.ts';
import {
  countsEvents,
  eachForm,
  type Insight,
  type Numbered,
  numbersOf,
} from './__testUtils__/numbersOf.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Clocks in Zurich were set back on 25 October 2026, at 3:00. */
const NOW = Date.parse('2026-10-27T10:00:00Z');
const ZURICH: Calendar = { zone: 'Europe/Zurich', weekStart: 1 };
/** The seed of the generated events; a different one generates different events. */
const SEED = Number(process.env.SEED ?? 20_261_129);
const WEEK = { date_from: '2026-10-22', date_to: '2026-10-27' };

const node = (event: string, math?: 'dau' | 'weekly_active') => ({
  kind: 'EventsNode' as const,
  event,
  ...(math && { math }),
});

/**
 * Generated events. Some are around the hour that clocks repeat, close enough together to
 * belong to one visit.
 */
const EVENTS = fc.record({
  projectId: fc.constant('shop'),
  uuid: fc.uuid(),
  event: fc.constantFrom('a', 'b', 'c'),
  distinctId: fc.constantFrom('ada', 'grace', 'lin', 'joan', "o'h", 'mary'),
  timestamp: fc
    .tuple(
      fc.oneof(
        { weight: 3, arbitrary: fc.integer({ min: -12 * 24, max: 0 }) },
        { weight: 2, arbitrary: fc.integer({ min: -60, max: -54 }) },
      ),
      fc.constantFrom(0, 0, 0, 5, 20),
    )
    .map(([hours, minutes]) => NOW + hours * HOUR_MS + minutes * MINUTE_MS),
  createdAt: fc.constant(NOW),
  properties: fc
    .constantFrom('x', 'y', 'z', '', undefined)
    .map(plan => JSON.stringify({ plan, size: plan && 'large' })),
});

const TRENDS: Insight = {
  kind: 'TrendsQuery',
  series: [node('a', 'dau'), node('b', 'weekly_active')],
  dateRange: WEEK,
  compareFilter: { compare: true },
};
const EVENTS_OF_A: Insight = { ...TRENDS, series: [node('a')] };
const FUNNEL: Insight = {
  kind: 'FunnelsQuery',
  series: [node('a'), node('b'), node('a')],
  dateRange: WEEK,
};
const RETENTION: Insight = {
  kind: 'RetentionQuery',
  dateRange: { date_to: WEEK.date_to },
  retentionFilter: {
    period: 'Day',
    totalIntervals: 4,
    targetEntity: { id: 'a' },
    returningEntity: { id: 'b' },
  },
};
const STICKINESS: Insight = {
  kind: 'StickinessQuery',
  series: [node('a'), node('b')],
  dateRange: WEEK,
  compareFilter: { compare: true },
};
const PATHS: Insight = { kind: 'PathsQuery', dateRange: WEEK };
const BY_PLAN = { breakdown: 'plan', breakdown_limit: 2 };

const OF_COHORT = {
  properties: [
    { type: 'cohort', key: 'id', value: 7, operator: 'in' },
  ] as Insight['properties'],
};
const COHORT = {
  name: 'Customers',
  condition: isOneOfPeople(['ada', 'joan', "o'h"]),
};
const BY_COHORT = {
  breakdown_type: 'cohort' as const,
  breakdown: [7, 'others', 'all'],
};

const INSIGHTS: Readonly<Record<string, Insight>> = {
  'unique users': TRENDS,
  'unique users by a property': { ...TRENDS, breakdownFilter: BY_PLAN },
  'unique users by two properties': {
    ...TRENDS,
    breakdownFilter: {
      breakdowns: [{ property: 'plan' }, { property: 'size' }],
      breakdown_limit: 2,
    },
  },
  'unique users by a cohort': { ...TRENDS, breakdownFilter: BY_COHORT },
  'unique users of weeks': {
    ...TRENDS,
    dateRange: { date_from: '2026-10-15', date_to: '2026-10-27' },
    interval: 'week',
  },
  'unique users of hours': {
    ...TRENDS,
    series: [node('a', 'dau')],
    dateRange: { date_from: '2026-10-25', date_to: '2026-10-25' },
    interval: 'hour',
  },
  'unique users of a whole period': {
    ...TRENDS,
    trendsFilter: { display: 'BoldNumber' },
  },
  'events by a property': { ...EVENTS_OF_A, breakdownFilter: BY_PLAN },
  'a running total of events': {
    ...EVENTS_OF_A,
    trendsFilter: { display: 'ActionsLineGraphCumulative' },
  },
  'an ordered funnel': FUNNEL,
  'a strict funnel': {
    ...FUNNEL,
    funnelsFilter: { funnelOrderType: 'strict' },
  },
  'an unordered funnel by a property': {
    ...FUNNEL,
    funnelsFilter: { funnelOrderType: 'unordered' },
    breakdownFilter: { breakdown: 'plan', breakdown_limit: 1 },
  },
  'a funnel of each value of a property': {
    ...FUNNEL,
    funnelsFilter: { breakdownAttributionType: 'all_events' },
    breakdownFilter: { breakdown: 'plan', breakdown_limit: 1 },
  },
  'a funnel with an exclusion': {
    ...FUNNEL,
    series: [node('a'), node('b')],
    funnelsFilter: {
      exclusions: [{ ...node('c'), funnelFromStep: 0, funnelToStep: 1 }],
    },
  },
  'a funnel by a cohort': { ...FUNNEL, breakdownFilter: BY_COHORT },
  'a retention': RETENTION,
  'a retention by a property': { ...RETENTION, breakdownFilter: BY_PLAN },
  'a retention by a cohort': { ...RETENTION, breakdownFilter: BY_COHORT },
  'a lifecycle': {
    kind: 'LifecycleQuery',
    series: [node('a')],
    dateRange: WEEK,
  },
  'a lifecycle of hours': {
    kind: 'LifecycleQuery',
    series: [node('a')],
    dateRange: { date_from: '2026-10-25', date_to: '2026-10-25' },
    interval: 'hour',
  },
  stickiness: STICKINESS,
  'cumulative stickiness of days with several events': {
    ...STICKINESS,
    series: [{ kind: 'EventsNode' }],
    stickinessFilter: {
      computedAs: 'cumulative',
      stickinessCriteria: { operator: 'gte', value: 2 },
    },
  },
  paths: PATHS,
  'a lifecycle of a cohort': {
    kind: 'LifecycleQuery',
    series: [node('a')],
    dateRange: WEEK,
    ...OF_COHORT,
  },
  'stickiness of a cohort': { ...STICKINESS, ...OF_COHORT },
  'paths of a cohort': { ...PATHS, ...OF_COHORT },
  'paths from a page': { ...PATHS, pathsFilter: { startPoint: 'a' } },
  'paths to a page': { ...PATHS, pathsFilter: { endPoint: 'b', stepLimit: 3 } },
};

describe(`the people behind numbers, with SEED=${SEED}`, () => {
  let directory: string;
  const stores = new Map<EngineName, EventStore>();

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'actors-'));
    const events = fc.sample(EVENTS, { seed: SEED, numRuns: 160 });
    for (const engine of allEngines) {
      const store = openStore(engine, path.join(directory, engine));
      stores.set(engine, store);
      await store.append(events);
    }
  });

  afterAll(async () => {
    for (const store of stores.values()) {
      await store.close();
    }
    await rm(directory, { recursive: true, force: true });
  });

  const ask = (engine: EngineName, query: Insight | Query) =>
    answerQuery(query as Query, {
      projectId: 'shop',
      now: NOW,
      calendar: ZURICH,
      hidesPeople: false,
      cohorts: id => (id === '7' ? COHORT : undefined),
      ask: plan => stores.get(engine)!.query(plan),
    });
  const find = async (engine: EngineName, source: ActorsSource) => {
    const select = ['id', 'event_count'];
    const answer = await ask(engine, { kind: 'ActorsQuery', select, source });
    const { results, actor_count: count } = answer as QueryAnswer;
    return { results, count };
  };

  it.each(Object.entries(INSIGHTS))(
    'are as many as each number of %s says, on each engine',
    async (_, query) => {
      const { results } = await ask('sqlite', query);
      const numbers = numbersOf(query, results);
      expect(numbers.some(({ count }) => count > 0)).toBe(true);
      const counted: Numbered[] = [];
      const inSqlite = new Map<ActorsSource, unknown>();
      for (const { source } of numbers) {
        const found = await find('sqlite', source);
        inSqlite.set(source, found);
        const ids = new Set(found.results.map(([id]) => id));
        // Each person is listed once, and all are on one page.
        expect([ids.size, found.results.length]).toEqual([
          found.count,
          found.count,
        ]);
        const events = found.results.map(([, each]) => Number(each));
        const count = countsEvents(source)
          ? events.reduce((sum, each) => sum + each, 0)
          : ids.size;
        counted.push({ source, count });
      }
      expect(counted).toEqual(numbers);
      for (const engine of allEngines.slice(1)) {
        for (const { source } of eachForm(numbers)) {
          expect({ source, found: await find(engine, source) }).toEqual({
            source,
            found: inSqlite.get(source),
          });
        }
      }
    },
  );
});
