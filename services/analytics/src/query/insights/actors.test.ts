import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { openStore } from '../../__testUtils__/openStore.ts';
import { testEngines } from '../../__testUtils__/startAnalytics.ts';
import type { AnalyticsEvent } from '../../events/AnalyticsEvent.ts';
import type { EventStore } from '../../store/EventStore.ts';
import { answerQuery } from '../answerQuery.ts';
import type { ActorsSource, Query, QueryAnswer } from '../schemas.ts';
import type { Calendar } from '../time/zones.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-10-27T10:00:00Z');
const ZURICH: Calendar = { zone: 'Europe/Zurich', weekStart: 1 };
const RUNS = Number(process.env.RUNS ?? 1);
/** The numbers checked of one result: a query for each takes its time. */
const CHECKED = 3;
const WEEK = { date_from: '2026-10-22', date_to: '2026-10-27' };

/** A number of a result, and what selects it. */
interface Numbered {
  source: ActorsSource;
  count: number;
}

/** Returns some of the numbers; an odd step, so that they are of different columns. */
const some = (numbers: readonly Numbered[]) => {
  const step = 2 * Math.floor(numbers.length / CHECKED / 2) + 1;
  return numbers.filter((_, index) => index % step === 0);
};

const node = (event: string, math?: 'dau' | 'weekly_active') => ({
  kind: 'EventsNode' as const,
  event,
  ...(math && { math }),
});

describe.each(testEngines)('the people behind numbers on %s', engine => {
  let directory: string;
  let store: EventStore;
  let projects = 0;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'actors-'));
    store = openStore(engine, directory);
  });

  afterAll(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });

  const ask = (projectId: string, query: Query) =>
    answerQuery(query, {
      projectId,
      now: NOW,
      calendar: ZURICH,
      hidesPeople: false,
      ask: plan => store.query(plan),
    });

  /** Counts the people who are found for numbers. */
  const find = async (projectId: string, numbers: readonly Numbered[]) => {
    const found: unknown[] = [];
    for (const { source } of numbers) {
      const answer = (await ask(projectId, {
        kind: 'ActorsQuery',
        select: ['id'],
        source,
      })) as QueryAnswer;
      const { results, actor_count: count } = answer;
      const ids = new Set(results.map(([id]) => id));
      // Each of them once, and all on one page.
      expect([ids.size, results.length]).toEqual([count, count]);
      found.push({ source, count });
    }
    return found;
  };

  /** Runs checks on generated events of five people. */
  const check = (work: (projectId: string) => Promise<void>) =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            uuid: fc.uuid(),
            event: fc.constantFrom('a', 'b', 'c'),
            distinctId: fc.constantFrom('ada', 'grace', 'lin', 'joan', "o'h"),
            timestamp: fc
              .integer({ min: -12 * 24, max: 0 })
              .map(hours => NOW + (hours * DAY_MS) / 24),
            createdAt: fc.constant(NOW),
            properties: fc
              .constantFrom('x', 'y', 'z', '', undefined)
              .map(plan => JSON.stringify({ plan, size: plan && 'large' })),
          }),
          { minLength: 20, maxLength: 80 },
        ),
        async generated => {
          projects += 1;
          const projectId = `project-${projects}`;
          await store.append(
            generated.map((each): AnalyticsEvent => ({ ...each, projectId })),
          );
          await work(projectId);
        },
      ),
      { numRuns: RUNS },
    );

  it.each([
    ['', {}],
    [' by one property', { breakdown: 'plan', breakdown_limit: 2 }],
    [
      ' by two properties',
      {
        breakdowns: [{ property: 'plan' }, { property: 'size' }],
        breakdown_limit: 2,
      },
    ],
  ])('are as many as each point of unique users says%s', async (_, by) => {
    await check(async projectId => {
      const query = {
        kind: 'TrendsQuery' as const,
        series: [node('a', 'dau'), node('b', 'weekly_active')],
        dateRange: WEEK,
        breakdownFilter: by,
        compareFilter: { compare: true },
      };
      const { results } = await ask(projectId, query);
      const numbers = some(
        (results as any[]).flatMap(line =>
          line.data.map((count: number, index: number) => ({
            source: {
              kind: 'InsightActorsQuery',
              source: query,
              series: line.action.order,
              day: line.days[index],
              compare: line.compare_label,
              breakdown: line.breakdown_value,
            },
            count,
          })),
        ),
      );
      expect(await find(projectId, numbers)).toEqual(numbers);
    });
  });

  it('are as many as the number of a whole period says', async () => {
    await check(async projectId => {
      const query = {
        kind: 'TrendsQuery' as const,
        series: [node('a', 'dau')],
        dateRange: WEEK,
        trendsFilter: { display: 'BoldNumber' },
      };
      const { results } = await ask(projectId, query);
      const numbers = some([
        {
          source: { kind: 'InsightActorsQuery', source: query },
          count: (results as any[])[0].aggregated_value,
        },
      ]);
      expect(await find(projectId, numbers)).toEqual(numbers);
    });
  });

  it.each<Pick<Query, 'breakdownFilter' | 'funnelsFilter'>>([
    { funnelsFilter: { funnelOrderType: 'ordered' } },
    { funnelsFilter: { funnelOrderType: 'strict' } },
    {
      funnelsFilter: { funnelOrderType: 'unordered' },
      breakdownFilter: { breakdown: 'plan', breakdown_limit: 1 },
    },
    {
      funnelsFilter: { breakdownAttributionType: 'all_events' },
      breakdownFilter: { breakdown: 'plan' },
    },
    {
      funnelsFilter: {
        exclusions: [{ ...node('c'), funnelFromStep: 0, funnelToStep: 1 }],
      },
    },
  ])(
    'are as many as reach or leave the steps of a funnel with %j',
    async filters => {
      await check(async projectId => {
        const query = {
          kind: 'FunnelsQuery' as const,
          series: [node('a'), node('b'), node('a')],
          dateRange: WEEK,
          ...filters,
        };
        const { results } = await ask(projectId, query);
        const groups: any[][] = Array.isArray(results[0])
          ? (results as any[][])
          : [results];
        const numbers = some(
          groups.flatMap(steps =>
            steps.flatMap(({ count, breakdown_value: value }, index) => {
              const of = (funnelStep: number, number: number) => ({
                source: {
                  kind: 'FunnelsActorsQuery' as const,
                  source: query,
                  funnelStepBreakdown: value,
                  funnelStep,
                },
                count: number,
              });
              return [
                of(index + 1, count),
                ...(index > 0
                  ? [of(-index - 1, steps[index - 1].count - count)]
                  : []),
              ];
            }),
          ),
        );
        expect(await find(projectId, numbers)).toEqual(numbers);
      });
    },
  );

  it.each([{}, { breakdown: 'plan', breakdown_limit: 2 }])(
    'are as many as the cells of a retention say, by %j',
    async by => {
      await check(async projectId => {
        const query = {
          kind: 'RetentionQuery' as const,
          dateRange: { date_to: WEEK.date_to },
          breakdownFilter: by,
          retentionFilter: {
            period: 'Day' as const,
            totalIntervals: 4,
            targetEntity: { id: 'a' },
            returningEntity: { id: 'b' },
          },
        };
        const results = (await ask(projectId, query)).results as any[];
        const starts = [...new Set(results.map(({ date }) => date))];
        const numbers = some(
          results.flatMap(({ date, values, breakdown_value: value }) =>
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
          ),
        );
        expect(await find(projectId, numbers)).toEqual(numbers);
      });
    },
  );
});
