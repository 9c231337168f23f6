import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { UnavailableError } from '@slipway/service-kit';
import Database from 'better-sqlite3';
import type { AnalyticsEvent } from '../events/AnalyticsEvent.ts';
import { ErasedIds } from '../people/ErasedIds.ts';
import { planEventsQuery } from '../query/planEventsQuery.ts';
import type { EventsPlan } from '../query/language/Expression.ts';
import type { ColumnStore, PlanContext, StoreView } from './ColumnStore.ts';
import { moveInBackground } from './EventMover.ts';
import { EventStore } from './EventStore.ts';
import { ProcessEndedError } from './process/LazyProcess.ts';
import { ColumnDeletes } from './sql/ColumnDeletes.ts';
import { EventJournal } from './sqlite/EventJournal.ts';
import type { JournalRange } from './sqlite/eventRows.ts';
import { JournalQueries } from './sqlite/JournalQueries.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');
const plan = planEventsQuery(
  { kind: 'EventsQuery', select: ['count()'] },
  { projectId: 'shop', now: NOW },
);

/** Records the batches in which events arrived. */
class FakeColumnStore implements ColumnStore {
  readonly portions: number[] = [];
  starts = 0;
  onStart: () => Promise<void> = async () => undefined;
  readonly engine = 'chdb';
  readonly readsJournal = true;
  readonly deletes = new ColumnDeletes({ ask: async () => [[0, '']] });
  /** The views with which queries ran. */
  readonly views: StoreView[] = [];
  onQuery: () => Promise<void> = async () => undefined;

  async start(): Promise<void> {
    this.starts += 1;
    await this.onStart();
  }

  async take(_journal: EventJournal, range: JournalRange): Promise<void> {
    this.portions.push(range.last - range.first + 1);
  }

  async putPeople(): Promise<void> {}

  async query(_plan: EventsPlan, { look }: PlanContext) {
    await look(async view => {
      this.views.push(view);
      await this.onQuery();
    });
    return { rows: [] };
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

describe('events in the journal', () => {
  let directory: string;
  let store: EventStore;
  let columns: FakeColumnStore;
  let onFallBack: (error: unknown) => void;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'event-store-'));
    const journal = new EventJournal({ directory });
    onFallBack = error => {
      throw error;
    };
    store = new EventStore({
      journal,
      queries: new JournalQueries({
        filename: journal.filename,
        timeoutMs: 20_000,
        idleMs: 1_000,
      }),
      onFallBack: error => onFallBack(error),
    });
    columns = new FakeColumnStore();
    store.useColumns(columns);
  });

  afterEach(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('are moved without a query once there are many', async () => {
    await store.append(eventsOf(4_999));
    await store.moveMany(5_000);
    expect(columns.starts).toBe(0);

    await store.append(eventsOf(1));
    await store.moveMany(5_000);
    expect(columns.held).toBe(5_000);
    expect(store.state().waiting).toBe(0);
  });

  it('are queried in the journal while there are few', async () => {
    await store.append(eventsOf(3));
    await store.query(plan);
    expect(columns.views).toMatchObject([
      { boundary: 0, upTo: 3, mayBeMoved: false },
    ]);
    expect(columns.starts).toBe(0);
    expect(store.state().waiting).toBe(3);
  });

  it('are not moved if they were deferred and their person is erased meanwhile', async () => {
    await store.deferred.add(eventsOf(3));
    const { signal } = new AbortController();
    const erasing = store.deletes.ids('shop', ['ada'], signal);
    store.deferred.admit('shop', 10);
    await store.moveMany(1);
    await erasing;
    expect(columns.held).toBe(0);
  });

  it('are not admitted once their person is erased', async () => {
    await store.close();
    const journal = new EventJournal({ directory });
    let digests = new Set<string>();
    const erased = new ErasedIds({
      erasedIds: async () => new Map([['shop', { digests, lastAt: 0 }]]),
      digestOf: (_projectId, distinctId) => distinctId,
    });
    store = new EventStore({
      journal,
      erased,
      queries: new JournalQueries({
        filename: journal.filename,
        timeoutMs: 20_000,
        idleMs: 1_000,
      }),
      onFallBack: error => {
        throw error;
      },
    });
    store.useColumns(columns);
    await store.deferred.add(eventsOf(3));
    digests = new Set(['ada']);
    await erased.read();
    expect(store.deferred.admit('shop', 10)).toEqual({ admitted: 3, added: 0 });
    expect(store.state().waiting).toBe(0);
    expect(journal.people.oldest(10)).toEqual([]);
  });

  it('know the oldest of them, also if it was deferred before', async () => {
    expect(store.oldestUnmoved(0)).toBe(Infinity);
    const arrivedAt = (createdAt: number) =>
      eventsOf(1).map(event => ({ ...event, createdAt }));
    await store.deferred.add(arrivedAt(NOW - 500));
    await store.append([...arrivedAt(NOW), ...arrivedAt(NOW - 90_000)]);
    expect(store.oldestUnmoved(NOW - 60_000)).toBe(NOW);
    store.deferred.admit('shop', 10);
    expect(store.oldestUnmoved(NOW - 60_000)).toBe(NOW - 500);
    await store.moveMany(1);
    expect(store.oldestUnmoved(0)).toBe(Infinity);
  });

  it('can move while running queries still read them in the journal', async () => {
    await store.append(eventsOf(2));
    let end = () => undefined as void;
    columns.onQuery = () =>
      new Promise(resolve => {
        end = resolve;
      });
    const first = store.query(plan);
    await vi.waitFor(() => expect(columns.views).toHaveLength(1));

    // The first query relies on the absence of moves, so this move waits for it.
    const move = store.moveMany(1);
    await store.append(eventsOf(1));
    const endFirst = end;
    const second = store.query(plan);
    await vi.waitFor(() => expect(columns.views).toHaveLength(2));
    expect(columns.portions).toEqual([]);
    expect(columns.views[1]).toMatchObject({
      boundary: 0,
      upTo: 3,
      mayBeMoved: true,
    });

    endFirst();
    await first;
    await move;
    expect(columns.portions).toEqual([2]);
    // The second query still reads all three events from the journal.
    const file = new Database(path.join(directory, 'events.sqlite'));
    const count = file.prepare('SELECT count(*) AS count FROM events');
    expect(count.get()).toEqual({ count: 3 });
    end();
    await second;
    await store.moveMany(1);
    expect(count.get()).toEqual({ count: 0 });
    file.close();
  });

  it('stay there once it has taken over from an engine that ends', async () => {
    onFallBack = vi.fn();
    columns.onQuery = async () => {
      throw new ProcessEndedError('It ended');
    };
    let start = () => undefined as void;
    columns.onStart = () =>
      new Promise(resolve => {
        start = resolve;
      });
    await store.append(eventsOf(2));
    const move = store.moveMany(1);
    await vi.waitFor(() => expect(columns.starts).toBe(1));
    expect(await store.query(plan)).toEqual({ rows: [[2]] });
    expect(columns.views).toHaveLength(2);
    expect(onFallBack).toHaveBeenCalledOnce();
    expect(store.state()).toEqual({ engine: 'sqlite', waiting: 0 });

    // The move that waited for the engine must not begin, because queries would miss its events.
    start();
    await move;
    expect(columns.held).toBe(0);
    expect(await store.query(plan)).toEqual({ rows: [[2]] });
  });

  it('cannot be queried without the engine that they were moved to', async () => {
    await store.append(eventsOf(2));
    await store.moveMany(1);
    columns.onQuery = async () => {
      throw new ProcessEndedError('It ended');
    };
    await expect(store.query(plan)).rejects.toThrow(
      new UnavailableError('The event store is not running'),
    );
    expect(store.state().engine).toBe('chdb');
  });

  it('are moved in batches that fit into memory', async () => {
    const mebibyte = JSON.stringify({ text: 'x'.repeat(1024 * 1024) });
    await store.append(eventsOf(20, mebibyte));
    await store.append(eventsOf(1, JSON.stringify('x'.repeat(17 << 20))));
    await store.moveMany(1);
    expect(columns.portions).toEqual([13, 7, 1]);
  });
});

describe('moving in the background', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('retries an unavailable engine with increasing pauses, and can be stopped', async () => {
    const moveMany = vi.fn().mockRejectedValue(new Error('It does not run'));
    const stop = moveInBackground(
      { moveMany },
      { logger: { warn: vi.fn() }, moveFrom: 5_000 },
    );
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
