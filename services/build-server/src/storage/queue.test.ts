import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import type { NewBuild } from '../builds/Build.ts';
import { BuildStore } from './BuildStore.ts';
import type { Offer } from './claims.ts';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);

const TRIGGER: NewBuild = {
  job: 'hello',
  cause: 'Triggered by dev',
  triggeredBy: 'dev',
  parameters: {},
  source: null,
  delivery: null,
  queuedAt: 1,
  dueAt: 1,
  joinsWaiting: false,
};

describe.each(testDatabaseClients())('builds queued on %s', client => {
  let store: BuildStore;
  let dispose: () => Promise<void>;
  let told: number[];
  let ended: string[];
  let requeues: number;
  let offer: Offer | undefined;

  const numbersOf = async (triggers: Partial<NewBuild>[]) => {
    const queued = await Promise.all(
      triggers.map(one => store.enqueue({ ...TRIGGER, ...one })),
    );
    return queued.map(({ build, isNew }) =>
      isNew ? build.number : -build.number,
    );
  };

  beforeEach(async () => {
    const { database, ...opened } = await openTestDatabase(client, {
      migrations: MIGRATIONS,
    });
    dispose = opened.dispose;
    told = [];
    ended = [];
    requeues = 0;
    offer = undefined;
    store = new BuildStore({
      database,
      async onQueued(_trx, { number, cause }) {
        if (cause === 'refused') {
          throw new Error('refused');
        }
        told.push(number);
      },
      offer: () => offer,
      afterRequeued: () => {
        requeues += 1;
      },
      afterFinished: ({ number, result }) => ended.push(`${number} ${result}`),
    });
    await store.registerJobs(['hello', 'other']);
  });

  afterEach(() => dispose());

  it('announces the end of one that is cancelled, once', async () => {
    const { build } = await store.enqueue(TRIGGER);
    for (const now of [2, 3]) {
      expect(
        await store.requestStop(build.id, { by: 'dev', now }),
      ).toMatchObject({ result: 'ABORTED', finishedAt: 2 });
    }
    expect(ended).toEqual(['1 ABORTED']);
  });

  it('says who has cancelled one, by the name that people know', async () => {
    const { build } = await store.enqueue(TRIGGER);
    const by = 'user:default/ada';
    expect(await store.requestStop(build.id, { by, now: 2 })).toMatchObject({
      ...{ reason: 'Cancelled by ada', stopRequestedBy: by },
    });
  });

  it('numbers concurrent triggers of several jobs without gaps, in order', async () => {
    const jobs = Array.from({ length: 250 }, (_, index) =>
      index % 5 === 0 ? 'other' : 'hello',
    );
    const numbers = await numbersOf(jobs.map(job => ({ job })));
    for (const [job, count] of [
      ['hello', 200],
      ['other', 50],
    ] as const) {
      expect(numbers.filter((_, index) => jobs[index] === job)).toEqual(
        Array.from({ length: count }, (_, index) => index + 1),
      );
      expect(await store.nextNumber(job)).toBe(count + 1);
    }
    expect(told).toHaveLength(250);
  });

  it('gives repeated deliveries one build, also within a group', async () => {
    const deliveries = ['a', 'b', 'a', 'c', 'b', 'a'];
    const asTriggers = deliveries.map(delivery => ({ delivery }));
    expect(await numbersOf(asTriggers)).toEqual([1, 2, -1, 3, -2, -1]);
    expect(await numbersOf([...asTriggers, { delivery: 'd' }])).toEqual([
      ...[-1, -2, -1, -3, -2, -1],
      4,
    ]);
    // The same id at another job is another delivery.
    expect(await numbersOf([{ job: 'other', delivery: 'a' }])).toEqual([1]);
    expect(told).toEqual([1, 2, 3, 4, 1]);
  });

  it('lets identical triggers join a build that waits', async () => {
    const waits = { joinsWaiting: true, dueAt: 10 };
    const other = { ...waits, parameters: { BRANCH: 'main' } };
    expect(await numbersOf([waits, other, waits, other])).toEqual([
      ...[1, 2, -1, -2],
    ]);
    expect(await numbersOf([waits, { ...waits, queuedAt: 11 }])).toEqual([
      ...[-1, 3],
    ]);
  });

  it('begins the numbers of a job that is not registered yet', async () => {
    expect(await numbersOf([{ job: 'new' }, { job: 'new' }])).toEqual([1, 2]);
  });

  it('are claimed, and their jobs registered, however many jobs there are', async () => {
    const names = Array.from({ length: 40_000 }, (_, index) => `many/${index}`);
    await store.registerJobs(names.slice(0, 1_201));
    await numbersOf([
      { job: names[39_999], dueAt: 1 },
      { job: names[0], dueAt: 2 },
    ]);
    const claimed = await store.claim({
      worker: 'one',
      jobs: names.map(name => ({ name, serial: false })),
      ...{ limit: 2, now: 5, leaseUntil: 9 },
    });
    expect(claimed.map(({ job }) => job)).toEqual([names[39_999], names[0]]);
    expect(await store.nextNumber(names[1_200])).toBe(1);
  });

  it('fails only the trigger at fault', async () => {
    const results = await Promise.allSettled([
      store.enqueue(TRIGGER),
      store.enqueue({ ...TRIGGER, cause: 'refused' }),
      store.enqueue(TRIGGER),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'rejected', 'fulfilled'],
    ]);
    expect(await store.nextNumber('hello')).toBe(3);
    expect((await store.listQueue()).map(({ number }) => number)).toEqual([
      ...[1, 2],
    ]);
  });

  it('starts builds in the transaction that queues them, as many as are offered', async () => {
    const taken: number[][] = [];
    offer = {
      claim: {
        worker: 'one',
        jobs: [{ name: 'hello', serial: false }],
        limit: 2,
        now: 5,
        leaseUntil: 9,
        isAccepted: true,
      },
      take: builds => taken.push(builds.map(({ number }) => number)),
    };
    const queued = await Promise.all(
      ['hello', 'hello', 'other', 'hello'].map(job =>
        store.enqueue({ ...TRIGGER, job }),
      ),
    );
    expect(
      queued.map(({ build }) => [build.job, build.number, build.state]),
    ).toEqual([
      ['hello', 1, 'running'],
      ['hello', 2, 'running'],
      ['other', 1, 'queued'],
      ['hello', 3, 'queued'],
    ]);
    expect(taken).toEqual([[1, 2]]);
    expect(queued[0].build).toMatchObject({ attempt: 1, startedAt: 5 });
    // What is left over starts with a later trigger; what is not due does not.
    await store.enqueue({ ...TRIGGER, job: 'other', dueAt: 6 });
    expect(taken.slice(1)).toEqual([[3]]);
  });

  it('takes back an offer if nothing is queued', async () => {
    const taken: number[] = [];
    offer = {
      claim: {
        worker: 'one',
        jobs: [{ name: 'hello', serial: false }],
        limit: 2,
        now: 5,
        leaseUntil: 9,
      },
      take: builds => taken.push(builds.length),
    };
    await expect(
      store.enqueue({ ...TRIGGER, cause: 'refused' }),
    ).rejects.toThrow('refused');
    expect(taken).toEqual([0]);
  });

  it('claims for an agent behind builds that resume on servers', async () => {
    const claim = (builtOn?: string) =>
      store.claim({
        worker: 'one',
        jobs: [{ name: 'hello', serial: false }],
        limit: 1,
        now: 2,
        leaseUntil: 3,
        builtOn,
      });
    await numbersOf([{}, {}]);
    const [first] = await claim();
    const held = { id: first.id, worker: 'one', attempt: first.attempt };
    await store.saveProgress(held, {
      steps: [{ name: 'Approve', state: 'waiting' } as never],
    });
    expect(await store.requeue(held, { keepsSteps: true })).toBe(true);
    // The listener is called only for the first, so that the build need not wait for the next poll.
    expect(await store.requeue(held, { keepsSteps: true })).toBe(false);
    expect(requeues).toBe(1);
    expect((await claim('agent')).map(({ number }) => number)).toEqual([2]);
    expect(await claim('agent')).toEqual([]);
    expect((await claim()).map(({ number }) => number)).toEqual([1]);
  });
});
