import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openStore } from '../../__testUtils__/openStore.ts';
import { testEngines } from '../../__testUtils__/startAnalytics.ts';
import { bucketOf, bucketsBetween } from '../../query/insights/buckets.ts';
import type { EventStore } from '../EventStore.ts';

const calendar = { zone: 'Europe/Berlin', weekStart: 0 } as const;
/** Periods in which clocks change, on 29 March and 25 October. */
const PERIODS = [
  { unit: 'hour', from: '2026-03-28', to: '2026-03-30' },
  { unit: 'day', from: '2026-03-27', to: '2026-03-31' },
  { unit: 'day', from: '2026-10-23', to: '2026-10-28' },
  { unit: 'day', from: '2026-01-01', to: '2026-12-31' },
  { unit: 'day', from: '2026-03-29', to: '2026-03-29' },
  { unit: 'week', from: '2026-03-01', to: '2026-11-30' },
  { unit: 'month', from: '2025-11-01', to: '2026-11-30' },
] as const;

const all = PERIODS.map(({ unit, from, to }) =>
  bucketsBetween(Date.parse(from), Date.parse(to), { unit, calendar }),
);
/** Times around every start, and outside the period. */
const times = [
  ...new Set(
    all.flatMap(({ starts, end }) =>
      [...starts, end].flatMap(start => [
        start - 1,
        start,
        start + 1,
        start + 12 * 3_600_000,
        start + 24 * 3_600_000 + 1,
      ]),
    ),
  ),
];

describe.each(testEngines)('buckets in %s', engine => {
  let directory: string;
  let store: EventStore;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'buckets-'));
    store = openStore(engine, directory);
    await store.append(
      times.map((timestamp, index) => ({
        projectId: 'shop',
        uuid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
        event: 'a',
        distinctId: 'ada',
        timestamp,
        createdAt: 0,
        properties: '{}',
      })),
    );
  });

  afterAll(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });

  it.each(PERIODS.map((period, index) => ({ ...period, index })))(
    'of each $unit from $from to $to begin and end in local time',
    async ({ index }) => {
      const { starts } = all[index];
      const { rows } = await store.query({
        projectId: 'shop',
        select: {
          kind: 'select',
          from: { kind: 'events', projectId: 'shop' },
          columns: [
            { kind: 'column', name: 'timestamp' },
            bucketOf({ starts }),
          ],
          where: [],
        },
      });
      expect(new Map(rows.map(([time, bucket]) => [time, bucket]))).toEqual(
        new Map(
          times.map(time => [
            time,
            starts.findLastIndex(start => start <= time),
          ]),
        ),
      );
    },
  );

  it('may be thousands', async () => {
    const { starts } = bucketsBetween(times[0], times[0] + 999 * 3_600_000, {
      unit: 'hour',
      calendar,
    });
    const days = Array.from(
      { length: 5_000 },
      (_, index) => starts[0] + (index - 4_500) * 86_400_000,
    );
    const count = async (of: readonly number[]) => {
      const bucket = bucketOf({ starts: of });
      const { rows } = await store.query({
        projectId: 'shop',
        select: {
          kind: 'select',
          from: { kind: 'events', projectId: 'shop' },
          columns: [
            bucket,
            { kind: 'aggregate', function: 'count', args: [], of: 'number' },
          ],
          where: [],
          groupBy: [bucket],
        },
      });
      return rows.reduce((sum, row) => sum + Number(row[1]), 0);
    };
    expect(await count(starts)).toBe(times.length);
    expect(await count(days)).toBe(times.length);
  });
});
