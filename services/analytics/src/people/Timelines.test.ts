import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openStore } from '../__testUtils__/openStore.ts';
import { allEngines } from '../__testUtils__/startAnalytics.ts';
import type { EventStore } from '../store/EventStore.ts';
import { Timelines } from './Timelines.ts';

const AT = Date.parse('2026-11-21T10:00:00Z');
const TIED = 2_300;
const ADA = {
  projectId: 'shop',
  column: 'distinct_id',
  values: ['ada'],
} as const;

const eventAt = (timestamp: number, index: number) => ({
  projectId: 'shop',
  // These uuids sort neither in order of arrival nor as ClickHouse sorts them.
  uuid: `${((index * 7_919) % 100_000).toString(16).padStart(8, '0')}-0000-4000-8000-${index
    .toString(16)
    .padStart(12, '0')}`,
  event: 'opened',
  distinctId: 'ada',
  timestamp,
  createdAt: AT,
  properties: '{}',
});

describe.each(allEngines)('timelines on %s', engine => {
  let directory: string;
  let store: EventStore;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'timeline-'));
    store = openStore(engine, directory);
    await store.append([
      ...Array.from({ length: TIED }, (_, index) => eventAt(AT, index)),
      eventAt(AT + 1, TIED),
      eventAt(AT - 1, TIED + 1),
    ]);
  });

  afterAll(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('have every event once, also of thousands at one time', async () => {
    const timelines = new Timelines(
      { ask: ({ plan }) => store.query(plan) },
      () => AT,
    );
    const pages: string[][] = [];
    let next: string | undefined = new Date(AT + 5).toISOString();
    while (next !== undefined) {
      const page: Awaited<ReturnType<Timelines['read']>> = await timelines.read(
        ADA,
        { before: next, limit: 50 },
      );
      pages.push(page.events.map(({ uuid }) => uuid));
      expect(page.has_more).toBe(page.next !== undefined);
      next = page.next;
    }
    expect(pages.map(({ length }) => length)).toEqual([1_001, 1_000, 300, 1]);
    expect(new Set(pages.flat()).size).toBe(TIED + 2);
  });
});

it.each(['', 'yesterday', '2026-11-21T10:00:00Z/7', '/'])(
  'refuses %j as the beginning of a page',
  async text => {
    const timelines = new Timelines(
      { ask: async () => ({ rows: [] }) },
      () => AT,
    );
    await expect(
      timelines.read(ADA, { before: text, limit: 50 }),
    ).rejects.toThrow(/must be a time, or the value of next/);
  },
);
