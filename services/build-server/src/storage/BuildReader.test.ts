import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import type { BuildResult } from '../builds/Build.ts';
import { BuildStore } from './BuildStore.ts';
import { JobHistory } from './JobHistory.ts';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);

describe.each(testDatabaseClients())('builds read on %s', client => {
  let store: BuildStore;
  let history: JobHistory;
  let dispose: () => Promise<void>;

  /** Queues a build of `hello`, and runs it if it needs a result. */
  const build = async (result?: BuildResult | null, job = 'hello') => {
    await store.enqueue({
      job,
      cause: 'Triggered by dev',
      triggeredBy: 'dev',
      parameters: {},
      source: null,
      delivery: null,
      queuedAt: 1,
      dueAt: 1,
      joinsWaiting: false,
    });
    if (result === undefined) {
      return;
    }
    const [claimed] = await store.claim({
      worker: 'one',
      jobs: [{ name: job, serial: false }],
      limit: 1,
      now: 2,
      leaseUntil: 3,
    });
    if (result !== null) {
      const { id, attempt } = claimed;
      await store.finish(
        { id, attempt, worker: 'one' },
        { result, reason: null, tests: null, steps: [], finishedAt: 4 },
      );
    }
  };

  beforeAll(async () => {
    const { database, ...opened } = await openTestDatabase(client, {
      migrations: MIGRATIONS,
    });
    dispose = opened.dispose;
    store = new BuildStore({ database });
    history = new JobHistory({ database });
    await store.registerJobs(['hello', 'idle']);
    for (const result of ['SUCCESS', 'FAILURE', 'ABORTED', null] as const) {
      await build(result);
    }
    await build();
  });

  afterAll(() => dispose());

  it('finds several at once, and omits those that do not exist', async () => {
    const first = await store.find('hello', 1);
    const second = await store.find('hello', 2);
    const found = await store.findByIds([second!.id, 999, first!.id]);
    expect([...found.values()].map(({ number }) => number).sort()).toEqual([
      1, 2,
    ]);
    expect(found.get(second!.id)).toEqual(second);
    expect(await store.findByIds([])).toEqual(new Map());
  });

  it('newest first, without those that wait', async () => {
    const numbers = (await store.list('hello', 3)).map(({ number }) => number);
    expect(numbers).toEqual([4, 3, 2]);
    expect(await store.list('idle', 3)).toEqual([]);
  });

  it.each([
    [{}, 4],
    [{ completed: true }, 3],
    [{ results: ['SUCCESS', 'FAILURE'] }, 2],
    [{ results: ['UNSTABLE'] }, undefined],
  ] as const)('the newest of %o is %s', async (filter, number) => {
    const found = await store.findNewest('hello', filter);
    expect(found?.number).toBe(number);
  });

  it('the oldest that began', async () => {
    expect((await store.findOldest('hello'))?.number).toBe(1);
    expect(await store.findOldest('idle')).toBeUndefined();
  });

  it('estimate how long the next one takes', async () => {
    // Without those that failed or were aborted.
    expect(await history.estimateDuration('hello')).toBe(2);
    expect(await history.estimateDuration('idle')).toBeUndefined();
  });

  it('estimate nothing by a build before the last twenty', async () => {
    await store.registerJobs(['failing']);
    await build('SUCCESS', 'failing');
    for (let count = 0; count < 19; count += 1) {
      await build('FAILURE', 'failing');
    }
    expect(await history.estimateDuration('failing')).toBe(2);
    await build('FAILURE', 'failing');
    expect(await history.estimateDuration('failing')).toBeUndefined();
  });

  it('by number and by id, also while it waits', async () => {
    expect((await store.find('hello', 5))?.state).toBe('queued');
    expect(await store.find('hello', 6)).toBeUndefined();
    const [waiting] = await store.listQueue('hello');
    expect((await store.findById(waiting.id))?.number).toBe(5);
    expect(await store.listQueue('idle')).toEqual([]);
  });

  it('for user names of any length', async () => {
    const { build: kept } = await store.enqueue({
      job: 'idle',
      cause: 'Triggered by push',
      triggeredBy: '\u{1f600}é'.repeat(200),
      parameters: {},
      source: null,
      delivery: null,
      queuedAt: 1,
      dueAt: 1,
      joinsWaiting: false,
    });
    expect(kept.triggeredBy).toBe('\u{1f600}é'.repeat(128));
    const stopped = await store.requestStop(kept.id, {
      by: 'é'.repeat(300),
      now: 2,
    });
    expect(stopped?.stopRequestedBy).toBe('é'.repeat(256));
  });

  it('for an unknown job', async () => {
    const { build: first } = await store.enqueue({
      job: 'new',
      cause: 'Triggered by push',
      triggeredBy: null,
      parameters: {},
      source: null,
      delivery: null,
      queuedAt: 1,
      dueAt: 1,
      joinsWaiting: false,
    });
    expect(first.number).toBe(1);
    await store.requestStop(first.id, { by: 'dev', now: 2 });
  });

  it('by a commit or its first digits, the newest first', async () => {
    const shas = ['a', 'b', 'a'].map(digit => digit.repeat(40));
    for (const after of [undefined, ...shas]) {
      const { build: queued } = await store.enqueue({
        job: 'pushed',
        cause: 'Triggered by push',
        triggeredBy: null,
        parameters: {},
        source: after === undefined ? null : { commits: [], after },
        delivery: null,
        queuedAt: 1,
        dueAt: 1,
        joinsWaiting: false,
      });
      await store.requestStop(queued.id, { by: 'dev', now: 2 });
    }
    for (const [sha, number] of [
      [shas[0], 4],
      ['bbbb', 3],
      ['c', undefined],
    ] as const) {
      const found = await store.findNewestOf('pushed', sha);
      expect(found?.number).toBe(number);
    }
  });

  it('counts queued and running builds, and returns the next number', async () => {
    expect(await store.count()).toEqual({ queued: 1, running: 1 });
    expect(await store.nextNumber('hello')).toBe(6);
  });
});
