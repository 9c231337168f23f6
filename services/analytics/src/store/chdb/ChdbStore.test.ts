import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { planEventsQuery } from '../../query/planEventsQuery.ts';
import type { PlanContext } from '../ColumnStore.ts';
import { ChdbStore } from './ChdbStore.ts';

const plan = planEventsQuery(
  { kind: 'EventsQuery', select: ['count()'] },
  { projectId: 'shop', now: Date.parse('2026-11-21T10:00:00.000Z') },
);
const context: PlanContext = {
  look: ask =>
    ask({
      journal: { id: 'journal', filename: 'events.sqlite' },
      boundary: 0,
      upTo: 0,
      mayBeMoved: false,
    }),
  groupTypes: [],
  copyPeople: async () => ({ hasSharedIds: false }),
};

describe('queries that each use most of their time limit', () => {
  let directory: string;
  let store: ChdbStore;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'chdb-store-'));
    store = new ChdbStore({
      entryPoint: fileURLToPath(
        new URL('./__fixtures__/slowChdb.cjs', import.meta.url),
      ),
      directory,
      maxThreads: 1,
      memoryBytes: 1,
      // Together with the grace period of five seconds, this is less time than two queries take.
      timeoutMs: 20,
      idleMs: 10_000,
    });
    await store.start();
  });

  afterEach(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('are all answered by one process', async () => {
    const { pid } = store;
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => store.query(plan, context)),
    );
    expect(answers).toEqual([1, 2, 3, 4].map(() => ({ rows: [[1]] })));
    expect(store.pid).toBe(pid);
  });

  it('do not delay writes', async () => {
    const queries = Promise.all([1, 2].map(() => store.query(plan, context)));
    let answered = false;
    void queries.then(() => {
      answered = true;
    });
    await store.start();
    expect(answered).toBe(false);
    await queries;
  });
});
