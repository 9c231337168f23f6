import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openStore } from '../../__testUtils__/openStore.ts';
import { allEngines } from '../../__testUtils__/startAnalytics.ts';
import type { EventStore } from '../../store/EventStore.ts';
import { answerQuery } from '../answerQuery.ts';
import type { InsightAnswer, Query } from '../schemas.ts';
import { UTC } from '../time/zones.ts';
import { MAX_COUNTS } from './breakdowns.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const DAY_MS = 24 * 3_600_000;

const event = (name: string, index: number, value: string | undefined) => ({
  projectId: 'shop',
  uuid: `00000000-0000-4000-8000-${name}${String(index).padStart(11, '0')}`,
  event: name,
  distinctId: 'ada',
  timestamp: NOW - (index % 2) * DAY_MS,
  createdAt: NOW,
  properties: JSON.stringify({ value }),
});

/** Events in which event `a` has more values than one query counts, and event `b` has few. */
const EVENTS = [
  ...Array.from({ length: MAX_COUNTS + 10 }, (_, index) =>
    event('a', index, `rare-${index}`),
  ),
  ...Array.from({ length: 6 }, (_, index) =>
    event('a', MAX_COUNTS + 10 + index, index < 4 ? 'often' : undefined),
  ),
  ...['é', 'z', 'z', 'é', undefined, undefined, undefined, 'x'].map(
    (value, index) => event('b', index, value),
  ),
];

const did = (
  name: string,
  by: { person: string; plan?: string },
  daysAgo: number,
) => ({
  projectId: 'plans',
  uuid: randomUUID(),
  event: name,
  distinctId: by.person,
  timestamp: NOW - daysAgo * DAY_MS,
  createdAt: NOW,
  properties: JSON.stringify({ plan: by.plan }),
});

const [ADA, GRACE, LIN] = [
  { person: 'ada', plan: 'pro' },
  { person: 'grace', plan: 'free' },
  { person: 'lin', plan: 'pro' },
];
/**
 * Two people begin with one plan, and one of them continues; one with another plan
 * continues; one has no plan.
 */
const PLANS = [
  did('began', ADA, 1),
  did('began', GRACE, 1),
  did('began', LIN, 1),
  did('bought', ADA, 0),
  did('bought', GRACE, 0),
  did('began', { person: 'joan' }, 0),
];

describe.each(allEngines)('breakdowns on %s', engine => {
  let directory: string;
  let store: EventStore;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'breakdowns-'));
    store = openStore(engine, directory);
    await store.append([...EVENTS, ...PLANS]);
  });

  afterAll(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });

  const ask = async (name: string) => {
    let asked = 0;
    const { results } = await answerQuery(
      {
        kind: 'TrendsQuery',
        series: [{ kind: 'EventsNode', event: name }],
        dateRange: { date_from: '-1d' },
        breakdownFilter: { breakdown: 'value', breakdown_limit: 3 },
      },
      {
        projectId: 'shop',
        now: NOW,
        calendar: UTC,
        hidesPeople: false,
        ask(plan) {
          asked += 1;
          return store.query(plan);
        },
      },
    );
    const lines = (
      results as { breakdown_value: string; data: number[] }[]
    ).map(({ breakdown_value: value, data }) => [value, ...data]);
    return { lines, asked };
  };

  it('count few values with one query', async () => {
    expect(await ask('b')).toEqual({
      asked: 1,
      lines: [
        ['z', 1, 1],
        ['é', 1, 1],
        ['$$_posthog_breakdown_null_$$', 1, 2],
        ['$$_posthog_breakdown_other_$$', 1, 0],
      ],
    });
  });

  const askPlans = async (query: Partial<Query>, limit?: number) => {
    const { results, hasMore } = (await answerQuery(
      {
        kind: 'RetentionQuery',
        dateRange: { date_from: '-1d' },
        breakdownFilter: { breakdown: 'plan', breakdown_limit: limit },
        ...query,
      },
      {
        projectId: 'plans',
        now: NOW,
        calendar: UTC,
        hidesPeople: false,
        ask: plan => store.query(plan),
      },
    )) as InsightAnswer;
    return { results: results as Record<string, any>[], hasMore };
  };

  it.each([
    {
      limit: undefined,
      expected: [
        ['pro', [2, 1], [0]],
        ['free', [1, 1], [0]],
        ['$$_posthog_breakdown_null_$$', [0, 0], [1]],
      ],
    },
    {
      limit: 1,
      expected: [
        ['pro', [2, 1], [0]],
        ['$$_posthog_breakdown_other_$$', [1, 1], [1]],
      ],
    },
  ])('are apart in a retention, up to $limit', async ({ limit, expected }) => {
    const { results, hasMore } = await askPlans(
      {
        retentionFilter: {
          totalIntervals: 2,
          targetEntity: { id: 'began' },
          returningEntity: { id: 'bought' },
        },
      },
      limit,
    );
    const countsOf = (value: string) =>
      results
        .filter(row => row.breakdown_value === value)
        .map(({ values }) => values.map(({ count }: any) => count));
    const values = [...new Set(results.map(row => row.breakdown_value))];
    const found = values.map(value => [value, ...countsOf(value)]);
    // Values with equal numbers may be in any order.
    expect(found).toHaveLength(expected.length);
    expect(found).toEqual(expect.arrayContaining(expected));
    expect(hasMore).toBe(limit === 1);
  });

  it('are apart in the conversion of a funnel over time', async () => {
    const { results } = await askPlans({
      kind: 'FunnelsQuery',
      series: ['began', 'bought'].map(name => ({
        kind: 'EventsNode' as const,
        event: name,
      })),
      funnelsFilter: { funnelVizType: 'trends' },
    });
    const found = results.map(({ breakdown_value: value, data }) => [
      value,
      ...data,
    ]);
    expect(found).toEqual(
      expect.arrayContaining([
        [['pro'], 50, 0],
        [['free'], 100, 0],
        [[''], 0, 0],
      ]),
    );
    expect(found).toHaveLength(3);
    expect(results[0]).toMatchObject({ breakdown_value: ['pro'], count: 2 });
  });

  const FUNNEL: Partial<Query> = {
    kind: 'FunnelsQuery',
    series: ['began', 'bought'].map(name => ({
      kind: 'EventsNode' as const,
      event: name,
    })),
  };

  it.each([
    {
      breakdownFilter: { breakdown: 'plan' },
      expected: [
        [['pro'], 2, 1],
        [['free'], 1, 1],
        [[''], 1, 0],
      ],
    },
    {
      breakdownFilter: { breakdown: ['plan', 'absent'] },
      expected: [
        [['pro', ''], 2, 1],
        [['free', ''], 1, 1],
        [['', ''], 1, 0],
      ],
    },
    {
      breakdownFilter: {
        breakdowns: [
          { property: 'plan' },
          { property: 'distinct_id', type: 'hogql' as const },
        ],
        breakdown_limit: 1,
      },
      // The combination with the most people comes first; equal ones may be in any order.
      expected: [
        [['Other', 'Other'], 3, expect.any(Number)],
        [[expect.any(String), expect.any(String)], 1, expect.any(Number)],
      ],
    },
    {
      breakdownFilter: {
        breakdown: 'plan',
        breakdown_type: 'group' as const,
        breakdown_group_type_index: 0,
      },
      expected: [['', 4, 2]],
    },
  ])(
    "are in PostHog's shape in a funnel by $breakdownFilter",
    async ({ breakdownFilter, expected }) => {
      const { results } = await askPlans({ ...FUNNEL, breakdownFilter });
      const found = (results as Record<string, any>[][]).map(steps => [
        steps[0].breakdown_value,
        ...steps.map(({ count }) => count),
      ]);
      expect(found).toHaveLength(expected.length);
      expect(found).toEqual(expect.arrayContaining(expected));
    },
  );

  it('are joined in a retention by several properties', async () => {
    const { results } = await askPlans({
      retentionFilter: {
        totalIntervals: 1,
        targetEntity: { id: 'bought' },
        returningEntity: { id: 'bought' },
      },
      breakdownFilter: {
        breakdowns: [
          { property: 'plan' },
          { property: 'distinct_id', type: 'hogql' },
        ],
      },
    });
    expect(new Set(results.map(row => row.breakdown_value))).toEqual(
      new Set(['pro::ada', 'free::grace']),
    );
  });

  it('keep the most frequent of many values', async () => {
    const half = MAX_COUNTS / 2;
    expect(await ask('a')).toEqual({
      asked: 3,
      lines: [
        ['often', 2, 2],
        ['rare-0', 0, 1],
        ['$$_posthog_breakdown_null_$$', 1, 1],
        ['$$_posthog_breakdown_other_$$', half + 5, half + 4],
      ],
    });
  });
});
