import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import {
  byPerson,
  depthByHand,
  lifecycleByHand,
  pathsByHand,
  retentionByHand,
  stickinessByHand,
} from '../../__testUtils__/insightsByHand.ts';
import { openStore } from '../../__testUtils__/openStore.ts';
import { allEngines } from '../../__testUtils__/startAnalytics.ts';
import type { AnalyticsEvent } from '../../events/AnalyticsEvent.ts';
import type { EventStore } from '../../store/EventStore.ts';
import { answerQuery } from '../answerQuery.ts';
import type { Query } from '../schemas.ts';
import type { Calendar } from '../time/zones.ts';

const HOUR_MS = 3_600_000;
/** Clocks in Zurich were set back on 25 October 2026: that day has 25 hours. */
const MIDNIGHT = Date.parse('2026-10-19T22:00:00Z');
const NOW = Date.parse('2026-10-27T10:00:00Z');
const STARTS = [
  ...[19, 20, 21, 22, 23, 24].map(day => `2026-10-${day}T22:00:00Z`),
  '2026-10-25T23:00:00Z',
  '2026-10-26T23:00:00Z',
].map(each => Date.parse(each));
const END = Date.parse('2026-10-27T23:00:00Z');
const ZURICH: Calendar = { zone: 'Europe/Zurich', weekStart: 1 };
const RUNS = Number(process.env.RUNS ?? 25);

const events = (projectId: string) =>
  fc.array(
    fc.record({
      projectId: fc.constant(projectId),
      uuid: fc.uuid(),
      event: fc.constantFrom('a', 'b', 'c', 'd'),
      distinctId: fc.constantFrom('ada', 'grace', 'lin', 'joan', "o'h"),
      // A few events are before the period, and many have the same time.
      timestamp: fc
        .integer({ min: -48, max: 8 * 24 * 2 })
        .map(each => Math.min(MIDNIGHT + (each * HOUR_MS) / 2, NOW)),
      createdAt: fc.constant(NOW),
      properties: fc
        .constantFrom('x', 'y', undefined)
        .map(plan => JSON.stringify({ plan })),
    }),
    { maxLength: 60 },
  );

const node = (event: string) => ({ kind: 'EventsNode' as const, event });
const WEEK = { date_from: '2026-10-20', date_to: '2026-10-27' };

describe.each(allEngines)('insights on %s', engine => {
  let directory: string;
  let store: EventStore;
  let projects = 0;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'insights-'));
    store = openStore(engine, directory);
  });

  afterAll(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });

  const ask = async (projectId: string, query: Query) => {
    const { results } = await answerQuery(query, {
      projectId,
      now: NOW,
      calendar: ZURICH,
      hidesPeople: true,
      ask: plan => store.query(plan),
    });
    // Each test checks the fields of its kind of insight.
    return results as any[];
  };

  /**
   * Checks queries over generated events, none of which depends on the order of events at
   * the same time.
   */
  const check = (
    work: (projectId: string, all: AnalyticsEvent[]) => Promise<void>,
    options: { isUnique?: boolean } = {},
  ) =>
    fc.assert(
      fc.asyncProperty(events(''), async generated => {
        projects += 1;
        const projectId = `project-${projects}`;
        const seen = new Set<string>();
        const all = generated
          .map(each => ({ ...each, projectId }))
          .filter(({ distinctId, timestamp }) => {
            const key = `${distinctId} ${timestamp}`;
            const isNew = !seen.has(key);
            seen.add(key);
            return isNew || !options.isUnique;
          });
        await store.append(all);
        await work(projectId, all);
      }),
      { numRuns: RUNS },
    );
  const inWeek = ({ timestamp }: AnalyticsEvent) =>
    timestamp >= STARTS[0] && timestamp < END;

  it.each(['ordered', 'strict', 'unordered'] as const)(
    'follow people through %s steps',
    async order => {
      await check(
        async (projectId, all) => {
          const steps = ['a', 'b', 'c'];
          const results = await ask(projectId, {
            kind: 'FunnelsQuery',
            series: steps.map(node),
            dateRange: WEEK,
            funnelsFilter: {
              funnelOrderType: order,
              funnelWindowInterval: 20,
              funnelWindowIntervalUnit: 'hour',
            },
          });
          const depths = [...byPerson(all.filter(inWeek)).values()].map(own =>
            depthByHand(own, { steps, windowMs: 20 * HOUR_MS, order }),
          );
          expect(results.map(({ count }) => count)).toEqual(
            [1, 2, 3].map(depth => depths.filter(each => each >= depth).length),
          );
        },
        { isUnique: order === 'strict' },
      );
    },
    patient(RUNS * 4_000),
  );

  it.each([false, true])(
    'count who comes back, of first times alone: %s',
    async firstOnly => {
      await check(async (projectId, all) => {
        const results = await ask(projectId, {
          kind: 'RetentionQuery',
          dateRange: WEEK,
          retentionFilter: {
            totalIntervals: 8,
            targetEntity: { id: 'a' },
            returningEntity: { id: 'b' },
            retentionType: firstOnly
              ? 'retention_first_time'
              : 'retention_recurring',
          },
        });
        expect(
          results.map(({ values }) =>
            values.map(({ count }: { count: number }) => count),
          ),
        ).toEqual(
          retentionByHand(byPerson(all), {
            target: 'a',
            returning: 'b',
            starts: STARTS,
            end: END,
            firstOnly,
          }),
        );
      });
    },
    patient(RUNS * 4_000),
  );

  it(
    'show new, returning and dormant users, and how many days they are active',
    async () => {
      await check(async (projectId, all) => {
        const people = byPerson(all);
        const query = { series: [node('a')], dateRange: WEEK };
        const lifecycle = await ask(projectId, {
          kind: 'LifecycleQuery',
          ...query,
        });
        const before = STARTS[0] - 24 * HOUR_MS;
        expect(lifecycle.map(({ data }) => data)).toEqual(
          lifecycleByHand(people, {
            name: 'a',
            starts: [before, ...STARTS],
            end: END,
          }),
        );
        const [stickiness] = await ask(projectId, {
          kind: 'StickinessQuery',
          ...query,
        });
        expect(stickiness.data).toEqual(
          stickinessByHand(people, { name: 'a', starts: STARTS, end: END }),
        );
      });
    },
    patient(RUNS * 4_000),
  );

  it(
    'follow users from event to event',
    async () => {
      await check(
        async (projectId, all) => {
          const results = await ask(projectId, {
            kind: 'PathsQuery',
            dateRange: WEEK,
            pathsFilter: { stepLimit: 3, edgeLimit: 1_000 },
          });
          const edges = results.map(
            ({ source, target, value }) =>
              [`${source} ${target}`, value] as const,
          );
          expect(new Map(edges)).toEqual(
            pathsByHand(byPerson(all.filter(inWeek)), 3),
          );
        },
        { isUnique: true },
      );
    },
    patient(RUNS * 4_000),
  );

  it(
    "count users of the last seven days, with days in the project's time zone",
    async () => {
      await check(async (projectId, all) => {
        const lines = await ask(projectId, {
          kind: 'TrendsQuery',
          series: [
            { ...node('a'), math: 'weekly_active' },
            { ...node('a'), math: 'dau' },
            node('b'),
          ],
          dateRange: WEEK,
          trendsFilter: { formulas: ['A', 'B', 'C', '(A + B) / 2'] },
        });
        const ends = [...STARTS.slice(1), END];
        const count = (name: string, from: number, to: number) => {
          const found = all.filter(
            ({ event, timestamp }) =>
              event === name && timestamp >= from && timestamp < to,
          );
          return {
            people: new Set(found.map(each => each.distinctId)).size,
            events: found.length,
          };
        };
        const weekly = STARTS.map((start, index) => {
          // Seven days are an hour longer if clocks were set back in between.
          const isLonger = index >= 6;
          const from = start - 6 * 24 * HOUR_MS - (isLonger ? HOUR_MS : 0);
          return count('a', from, ends[index]).people;
        });
        const daily = STARTS.map(
          (start, index) => count('a', start, ends[index]).people,
        );
        expect(lines.map(({ data }) => data)).toEqual([
          weekly,
          daily,
          STARTS.map((start, index) => count('b', start, ends[index]).events),
          weekly.map((each, index) => (each + daily[index]) / 2),
        ]);
      });
    },
    patient(RUNS * 4_000),
  );
});
