import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AnalyticsEvent } from '../events/AnalyticsEvent.ts';
import { planEventsQuery } from '../query/planEventsQuery.ts';
import { type ColumnStore, moveInBackground } from './EventMover.ts';
import { EventStore } from './EventStore.ts';
import { EventJournal } from './sqlite/EventJournal.ts';
import type { JournalRange } from './sqlite/eventRows.ts';
import { JournalQueries } from './sqlite/JournalQueries.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');
const plan = planEventsQuery(
  { kind: 'EventsQuery', select: ['count()'] },
  { projectId: 'shop', now: NOW },
);

/** Holds events in memory, and notes in which portions they came. */
class FakeColumnStore implements ColumnStore {
  readonly portions: number[] = [];
  starts = 0;

  async start(): Promise<void> {
    this.starts += 1;
  }

  async insert(events: readonly AnalyticsEvent[]): Promise<void> {
    this.portions.push(events.length);
  }

  async take(journal: EventJournal, range: JournalRange): Promise<void> {
    await this.insert(journal.read(range));
  }

  async missing(events: readonly AnalyticsEvent[]): Promise<AnalyticsEvent[]> {
    return [...events];
  }

  async deleteBefore(): Promise<void> {}

  async query() {
    return { rows: [[this.held]] };
  }

  async close(): Promise<void> {}

  get held(): number {
    return this.portions.reduce((sum, portion) => sum + portion, 0);
  }
}

function eventsOf(count: number, properties = '{}'): AnalyticsEvent[] {
  return Array.from({ length: count }, () => ({
    projectId: 'shop',
    uuid: randomUUID(),
    event: 'opened',
    distinctId: 'ada',
    timestamp: NOW,
    createdAt: NOW,
    properties,
  }));
}

describe('events that wait in the journal', () => {
  let directory: string;
  let store: EventStore;
  let columns: FakeColumnStore;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'event-store-'));
    const journal = new EventJournal({ directory });
    store = new EventStore({
      journal,
      queries: new JournalQueries({
        filename: journal.filename,
        timeoutMs: 1_000,
        idleMs: 1_000,
      }),
      onFallBack: error => {
        throw error;
      },
    });
    columns = new FakeColumnStore();
    store.useColumns(columns);
  });

  afterEach(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('are moved without a question once they are many', async () => {
    await store.append(eventsOf(4_999));
    await store.moveMany();
    expect(columns.starts).toBe(0);

    await store.append(eventsOf(1));
    await store.moveMany();
    expect(columns.held).toBe(5_000);
    expect(store.state().waiting).toBe(0);
  });

  it('are moved by a question where they are few', async () => {
    await store.append(eventsOf(3));
    expect(await store.query(plan)).toEqual({ rows: [[3]] });
    expect(store.state().waiting).toBe(0);
  });

  it('are moved in portions that fit into memory', async () => {
    const mebibyte = JSON.stringify({ text: 'x'.repeat(1024 * 1024) });
    await store.append(eventsOf(20, mebibyte));
    await store.append(eventsOf(1, JSON.stringify('x'.repeat(17 << 20))));
    await store.query(plan);
    expect(columns.portions).toEqual([15, 5, 1]);
  });
});

describe('moving in the background', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('tries an engine that does not run ever less often, and ends', async () => {
    const moveMany = vi.fn().mockRejectedValue(new Error('It does not run'));
    const stop = moveInBackground({ moveMany }, { warn: vi.fn() });
    await vi.advanceTimersByTimeAsync(7_000);
    // After 1, 3 and 7 seconds.
    expect(moveMany).toHaveBeenCalledTimes(3);

    moveMany.mockResolvedValue(undefined);
    await vi.advanceTimersByTimeAsync(8_000 + 2_000);
    expect(moveMany).toHaveBeenCalledTimes(6);

    stop();
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(moveMany).toHaveBeenCalledTimes(6);
  });
});
