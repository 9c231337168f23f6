import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { openStore } from '../../__testUtils__/openStore.ts';
import { testEngines } from '../../__testUtils__/startAnalytics.ts';
import type { EngineName, EventStore } from '../../store/EventStore.ts';
import { answerQuery } from '../answerQuery.ts';
import type { ActorsSource, Query, QueryAnswer } from '../schemas.ts';
import type { Calendar } from '../time/zones.ts';

const HOUR_MS = 3_600_000;
/** Clocks in Zurich were set back on 25 October 2026, at 3:00. */
const NOW = Date.parse('2026-10-27T10:00:00Z');
const ZURICH: Calendar = { zone: 'Europe/Zurich', weekStart: 1 };
/** Another one finds other events. */
const SEED = Number(process.env.SEED ?? 20_261_129);
const WEEK = { date_from: '2026-10-22', date_to: '2026-10-27' };

type Insight = ActorsSource['source'];

/** A number of a result, and what selects it. */
type Numbered = { source: ActorsSource; count: number };

const node = (event: string, math?: 'dau' | 'weekly_active') => ({
  kind: 'EventsNode' as const,
  event,
  ...(math && { math }),
});

/** Some of them around the hour that happens twice. */
const EVENTS = fc.record({
  projectId: fc.constant('shop'),
  uuid: fc.uuid(),
  event: fc.constantFrom('a', 'b', 'c'),
  distinctId: fc.constantFrom('ada', 'grace', 'lin', 'joan', "o'h", 'mary'),
  timestamp: fc
    .oneof(
      { weight: 4, arbitrary: fc.integer({ min: -12 * 24, max: 0 }) },
      { weight: 1, arbitrary: fc.integer({ min: -60, max: -54 }) },
    )
    .map(hours => NOW + hours * HOUR_MS),
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
const BY_PLAN = { breakdown: 'plan', breakdown_limit: 2 };

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
  'a retention': RETENTION,
  'a retention by a property': { ...RETENTION, breakdownFilter: BY_PLAN },
};

/** Returns all numbers of the result of an insight. */
function numbersOf(query: Insight, results: readonly unknown[]): Numbered[] {
  switch (query.kind) {
    case 'FunnelsQuery':
      return numbersOfFunnel(query, results);
    case 'RetentionQuery':
      return numbersOfRetention(query, results as any[]);
    default:
      return (results as any[]).flatMap(line => {
        const numbers: number[] = line.days.length
          ? line.data
          : [line.aggregated_value];
        return numbers.map((count, index): Numbered => ({
          source: {
            kind: 'InsightActorsQuery',
            source: query,
            series: line.action.order,
            // Only the index tells the two hours apart that have one name.
            ...(line.days.length > 0 && {
              day:
                line.days.indexOf(line.days[index]) === index
                  ? line.days[index]
                  : index,
            }),
            compare: line.compare_label,
            breakdown: line.breakdown_value,
          },
          count,
        }));
      });
  }
}

function numbersOfFunnel(
  query: Insight,
  results: readonly unknown[],
): Numbered[] {
  const groups = (Array.isArray(results[0]) ? results : [results]) as any[][];
  return groups.flatMap(steps =>
    steps.flatMap(({ count, breakdown_value: value }, index) => {
      const of = (funnelStep: number, number: number): Numbered => ({
        source: {
          kind: 'FunnelsActorsQuery',
          source: query,
          funnelStepBreakdown: value,
          funnelStep,
        },
        count: number,
      });
      return [
        of(index + 1, count),
        ...(index > 0 ? [of(-index - 1, steps[index - 1].count - count)] : []),
      ];
    }),
  );
}

function numbersOfRetention(query: Insight, rows: readonly any[]): Numbered[] {
  const starts = [...new Set(rows.map(({ date }) => date))];
  return rows.flatMap(({ date, values, breakdown_value: value }) =>
    values.map(({ count }: { count: number }, later: number) => ({
      source: {
        kind: 'InsightActorsQuery',
        source: query,
        breakdown: value,
        interval: starts.indexOf(date),
        returnInterval: later,
      },
      count,
    })),
  );
}

function countsEvents({ source, series = 0 }: ActorsSource): boolean {
  return source.kind === 'TrendsQuery' && !source.series?.[series]?.math;
}

/** Returns numbers so that each part of a statement is in that of one: those with most people. */
function eachForm(numbers: readonly Numbered[]): Numbered[] {
  const left = new Set(numbers.flatMap(formsOf));
  return [...numbers]
    .sort((a, b) => b.count - a.count)
    .filter(number => {
      const isNew = formsOf(number).some(form => left.has(form));
      formsOf(number).forEach(form => left.delete(form));
      return isNew && number.count > 0;
    });
}

function formsOf({ source }: Numbered): string[] {
  const { series, funnelStep = 0, breakdown, funnelStepBreakdown } = source;
  const [value] = [breakdown ?? funnelStepBreakdown].flat();
  const isOwn = value && !/other|null/i.test(value);
  return [
    `series ${series}`,
    `step ${Math.sign(funnelStep)}`,
    `value ${isOwn ? 'of its own' : value}`,
  ];
}

describe(`the people behind numbers, with SEED=${SEED}`, () => {
  let directory: string;
  const stores = new Map<EngineName, EventStore>();

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'actors-'));
    const sample = fc.sample(EVENTS, { seed: SEED, numRuns: 120 });
    // Which of two events at one time is a person's first, is up to the engine.
    const events = new Map(
      sample.map(each => [`${each.distinctId} ${each.timestamp}`, each]),
    );
    for (const engine of testEngines) {
      const store = openStore(engine, path.join(directory, engine));
      stores.set(engine, store);
      await store.append([...events.values()]);
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
      const counted: Numbered[] = [];
      const inSqlite = new Map<ActorsSource, unknown>();
      for (const { source } of numbers) {
        const found = await find('sqlite', source);
        inSqlite.set(source, found);
        const ids = new Set(found.results.map(([id]) => id));
        // Each of them once, and all on one page.
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
      for (const engine of testEngines.slice(1)) {
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
