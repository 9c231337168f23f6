import { KIT_MIGRATIONS, migrate } from '../database/migrate.ts';
import type { Database } from '../database/openDatabase.ts';
import { openTestDatabase, testDatabaseClients } from '../testing/databases.ts';
import { LeasedQueue } from './LeasedQueue.ts';

interface Work {
  n: number;
}

describe.each(testDatabaseClients())('a leased queue on %s', client => {
  let database: Database;
  let dispose: () => Promise<void>;
  let queue: LeasedQueue<Work>;

  beforeAll(async () => {
    ({ database, dispose } = await openTestDatabase(client));
    await migrate(database, { directory: KIT_MIGRATIONS, tablePrefix: 'kit_' });
  });
  beforeEach(async () => {
    await database.knex('kit_queue').delete();
    queue = new LeasedQueue({ database, name: 'work' });
  });
  afterAll(() => dispose());

  const enqueue = (
    items: { id: string; lane?: string; createdAt?: number }[],
    into = queue,
  ) =>
    database.transaction(trx =>
      into.enqueue(
        trx,
        items.map((item, n) => ({ createdAt: 0, ...item, payload: { n } })),
      ),
    );
  const lease = (
    now: number,
    options: { limit?: number; lane?: string; exceptLanes?: string[] } = {},
  ) => queue.lease({ now, leaseMs: 100, limit: 10, ...options });
  const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);

  it('leases due items, longest overdue first', async () => {
    await enqueue([
      { id: 'later', createdAt: 50 },
      { id: 'b', createdAt: 10 },
      { id: 'a', createdAt: 10 },
      { id: 'first', createdAt: 5 },
    ]);
    expect(idsOf(await lease(20, { limit: 2 }))).toEqual(['first', 'a']);
    expect(idsOf(await lease(20))).toEqual(['b']);
    expect(await lease(20)).toEqual([]);
  });

  it('leases from one lane alone if asked to', async () => {
    await enqueue([
      { id: '1', lane: 'one' },
      { id: '2', lane: 'two' },
    ]);
    expect(idsOf(await lease(0, { lane: 'two' }))).toEqual(['2']);
    expect(await lease(0, { lane: 'none' })).toEqual([]);
  });

  it('skips excluded lanes and other queues', async () => {
    await enqueue([
      { id: '1', lane: 'busy' },
      { id: '2', lane: 'free' },
    ]);
    await enqueue([{ id: '3' }], new LeasedQueue({ database, name: 'other' }));
    const items = await lease(0, { exceptLanes: ['busy'] });
    expect(items).toMatchObject([{ id: '2', payload: { n: 1 }, attempts: 1 }]);
  });

  it('leases items of a dead worker again, and rejects its writes', async () => {
    await enqueue([{ id: 'it' }]);
    const [dead] = await lease(0);
    expect(await lease(99)).toEqual([]);
    const [alive] = await lease(100);
    expect(alive).toMatchObject({ id: 'it', attempts: 2 });
    expect(await queue.retry(dead, { at: 0 })).toBe(false);
    expect(await queue.complete(dead, { now: 100 })).toBe(false);
    expect(await queue.complete(alive, { now: 100 })).toBe(true);
    expect(await lease(1_000)).toEqual([]);
  });

  it('leases an item once, however many workers ask concurrently', async () => {
    await enqueue(Array.from({ length: 30 }, (_, n) => ({ id: `${n}` })));
    const taken = await Promise.all(
      Array.from({ length: 6 }, () => lease(0, { limit: 5 })),
    );
    const ids = taken.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const rest = idsOf(await lease(0, { limit: 30 }));
    expect(new Set([...ids, ...rest]).size).toBe(30);
  });

  it('keeps the outcome of an attempt, and finished items if configured', async () => {
    const log = new LeasedQueue<Work>({
      database,
      name: 'work',
      keepsEnded: true,
    });
    await enqueue([{ id: 'it' }]);
    const [first] = await lease(0);
    await log.retry(first, { at: 10, outcome: { error: 'busy' } });
    expect(await log.list({ limit: 1 })).toMatchObject([
      { state: 'waiting', dueAt: 10, outcome: { error: 'busy' } },
    ]);
    const [second] = await lease(10);
    await log.fail(second, { now: 20, outcome: { error: 'gone' } });
    expect(await log.list({ limit: 1, lane: 'it' })).toMatchObject([
      { state: 'failed', attempts: 2, endedAt: 20, outcome: { error: 'gone' } },
    ]);
    expect(await log.purge(0)).toBe(0);
    expect(await log.purge(1)).toBe(1);
  });

  it('completes in the transaction of the result or not at all', async () => {
    await enqueue([{ id: 'it' }]);
    const [item] = await lease(0);
    await expect(
      database.transaction(async trx => {
        await queue.complete(item, { now: 1, trx });
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await queue.complete(item, { now: 1 })).toBe(true);
  });

  it('deletes cancelled items without attempts, and keeps the attempts of others', async () => {
    const cancel = (id: string) =>
      database.transaction(trx => queue.cancel(trx, id));
    await enqueue([{ id: 'untried' }, { id: 'tried' }]);
    await cancel('untried');
    const [item] = await lease(0);
    await cancel('tried');
    expect(await lease(1_000)).toEqual([]);
    expect(idsOf(await queue.list({ limit: 9 }))).toEqual(['tried']);

    // An item that is enqueued again is due no sooner than its lease ends, since its worker may
    // still run.
    await enqueue([{ id: 'tried', createdAt: 20 }]);
    expect(await lease(99)).toEqual([]);
    expect(await lease(100)).toMatchObject([{ id: 'tried', attempts: 2 }]);
    expect(await queue.complete(item, { now: 100 })).toBe(false);
  });

  it('does not change a waiting item that is enqueued again', async () => {
    await enqueue([{ id: 'it' }]);
    const [item] = await lease(0);
    await queue.retry(item, { at: 500 });
    await enqueue([{ id: 'it' }]);
    expect(await lease(499)).toEqual([]);
    expect(await lease(500)).toMatchObject([{ attempts: 2 }]);
  });
});
