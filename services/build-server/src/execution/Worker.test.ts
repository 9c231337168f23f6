import type { HeldBuild, StartedBuild } from '../builds/Build.ts';
import { Worker } from './Worker.ts';

const LEASE_MS = 10_000;

/** Creates a worker with one build, whose store returns what a test specifies. */
async function hold(
  answer: (asked: { only: readonly number[] }) => Promise<HeldBuild[]>,
) {
  let now = 0;
  let reason: unknown;
  const builds = [{ id: 1, attempt: 2, startedAt: 0 } as StartedBuild];
  const worker = new Worker({
    id: 'one',
    store: {
      claim: async () => builds.splice(0),
      renew: answer,
      requestStop: async () => undefined,
    },
    labels: new Set(),
    jobs: { enabled: () => [] },
    executors: 1,
    leaseMs: LEASE_MS,
    now: () => now,
    logger: { info() {}, warn() {}, error() {} },
    run: (_build, { signal }) =>
      new Promise(resolve => {
        signal.addEventListener('abort', () => {
          reason = signal.reason;
          resolve();
        });
      }),
  });
  worker.wake();
  await vi.waitFor(() => expect(worker.size).toBe(1));
  return {
    worker,
    reason: () => reason,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

const mine = { id: 1, attempt: 2, stopRequestedBy: null };

it('keeps a build while the store confirms its ownership', async () => {
  const { worker, reason } = await hold(async () => [mine]);
  await worker.renew();
  expect([worker.size, reason()]).toEqual([1, undefined]);
});

it('renews no lease but those of the builds that it runs', async () => {
  const asked: (readonly number[])[] = [];
  const { worker } = await hold(async ({ only }) => {
    asked.push(only);
    return [mine];
  });
  await worker.renew();
  await worker.stop();
  await worker.renew();
  expect(asked).toEqual([[1]]);
});

it('survives a build that it cannot run', async () => {
  const error = vi.fn();
  const builds = [{ id: 1, attempt: 1, startedAt: 0 } as StartedBuild];
  const worker = new Worker({
    id: 'one',
    store: {
      claim: async () => builds.splice(0),
      renew: async () => [],
      requestStop: async () => undefined,
    },
    labels: new Set(),
    jobs: { enabled: () => [] },
    executors: 1,
    leaseMs: LEASE_MS,
    now: () => 0,
    logger: { info() {}, warn() {}, error },
    run: () => Promise.reject(new Error('The job is gone')),
  });
  worker.wake();
  await vi.waitFor(() => expect(error).toHaveBeenCalledOnce());
  await worker.stop();
  expect(worker.size).toBe(0);
});

it.each([
  ['missing', [], { kind: 'lost' }],
  ['in another attempt', [{ ...mine, attempt: 3 }], { kind: 'lost' }],
  [
    'to be stopped',
    [{ ...mine, stopRequestedBy: 'ada' }],
    { kind: 'stopped', by: 'ada' },
  ],
])('ends one that is %s', async (_what, answer, expected) => {
  const { worker, reason } = await hold(async () => answer);
  await worker.renew();
  expect(reason()).toEqual(expected);
  await vi.waitFor(() => expect(worker.size).toBe(0));
});

it('stops a build when its lease expires', async () => {
  const { worker, reason, pass } = await hold(() =>
    Promise.reject(new Error('gone')),
  );
  pass(LEASE_MS);
  await worker.renew();
  expect(reason()).toBeUndefined();
  pass(1);
  await worker.renew();
  expect(reason()).toEqual({ kind: 'lost' });
});

it('stops a build when its lease expires while the store does not respond', async () => {
  const { worker, reason, pass } = await hold(() => new Promise(() => {}));
  void worker.renew();
  pass(LEASE_MS);
  await worker.renew();
  expect(reason()).toBeUndefined();
  pass(1);
  await worker.renew();
  expect(reason()).toEqual({ kind: 'lost' });
});

it('renews again after a renewal that has had no response for a whole lease', async () => {
  const asked = vi.fn(() => new Promise<HeldBuild[]>(() => {}));
  const { worker, pass } = await hold(asked);
  void worker.renew();
  pass(LEASE_MS + 1);
  void worker.renew();
  expect(asked).toHaveBeenCalledTimes(1);
  void worker.renew();
  expect(asked).toHaveBeenCalledTimes(2);
});

it('waits for all that it ends', async () => {
  const { worker, reason } = await hold(async () => [mine]);
  await worker.stop();
  expect([worker.size, reason()]).toEqual([0, { kind: 'shutdown' }]);
});

describe('an offer for builds that are being queued', () => {
  const claimed = { id: 1, attempt: 1, startedAt: 0 } as StartedBuild;
  let isSettled: boolean;
  let waiting: StartedBuild[];
  let worker: Worker;

  beforeEach(() => {
    isSettled = true;
    waiting = [];
    worker = new Worker({
      id: 'one',
      store: {
        claim: async () => waiting.splice(0),
        renew: async () => [],
        requestStop: async () => undefined,
      },
      labels: new Set(['gpu']),
      jobs: {
        enabled: () => [
          { name: 'a', steps: [], concurrent: true },
          { name: 'b', steps: [], runsOn: ['gpu'] },
          { name: 'c', steps: [], runsOn: ['arm'] },
          { name: 'd', steps: [] },
        ],
      },
      executors: 2,
      leaseMs: LEASE_MS,
      isSettled: () => isSettled,
      now: () => 7,
      logger: { info() {}, warn() {}, error() {} },
      run: (_build, { signal }) =>
        new Promise(resolve => {
          signal.addEventListener('abort', () => resolve());
        }),
    });
  });

  it('is for their jobs that may run here, on all free executors', () => {
    expect(worker.offer(new Set(['a', 'b', 'c']))?.claim).toEqual({
      worker: 'one',
      jobs: [
        { name: 'a', serial: false },
        { name: 'b', serial: true },
      ],
      limit: 2,
      now: 7,
      leaseUntil: 7 + LEASE_MS,
      isAccepted: true,
    });
  });

  it('is made once until it is answered, and frees what was not taken', async () => {
    const offer = worker.offer(new Set(['a']))!;
    expect(worker.offer(new Set(['a']))).toBeUndefined();
    offer.take([claimed]);
    await vi.waitUntil(() => worker.size === 1);
    const next = worker.offer(new Set(['a']))!;
    expect(next.claim.limit).toBe(1);
    next.take([]);
    await worker.stop();
    expect(worker.size).toBe(0);
  });

  it('hides no build that becomes due meanwhile', async () => {
    const offer = worker.offer(new Set(['a']))!;
    waiting.push(claimed);
    worker.wake();
    await new Promise(setImmediate);
    expect(worker.size).toBe(0);
    offer.take([]);
    await vi.waitUntil(() => worker.size === 1);
    await worker.stop();
  });

  it('is not made during a burst, nor by a worker that stops', async () => {
    isSettled = false;
    expect(worker.offer(new Set(['a']))).toBeUndefined();
    isSettled = true;
    const offer = worker.offer(new Set(['a']))!;
    const stopped = worker.stop();
    expect(worker.offer(new Set(['a']))).toBeUndefined();
    offer.take([claimed]);
    await stopped;
    expect(worker.size).toBe(0);
  });
});

it('starts a build that becomes due just as a look for work ends', async () => {
  const waiting: StartedBuild[] = [];
  const worker = new Worker({
    id: 'one',
    store: {
      claim: async () => waiting.splice(0),
      renew: async () => [],
      requestStop: async () => undefined,
    },
    labels: new Set(),
    jobs: { enabled: () => [] },
    executors: 1,
    leaseMs: LEASE_MS,
    now: () => 0,
    logger: { info() {}, warn() {}, error() {} },
    run: async () => {},
  });
  // Wakes the worker at each step of its search, without a poll that would hide a missed wake.
  for (let step = 0; step < 20; step += 1) {
    worker.wake();
    for (let passed = 0; passed < step; passed += 1) {
      await Promise.resolve();
    }
    waiting.push({ id: step, attempt: 1, startedAt: 0 } as StartedBuild);
    worker.wake();
    await new Promise(setImmediate);
    expect([step, waiting.length]).toEqual([step, 0]);
  }
  await worker.stop();
});

it('keeps the next attempt of a build while the one before ends', async () => {
  const ends = new Map<number, () => void>();
  const asked: (readonly number[])[] = [];
  const builds = [1, 2].map(attempt => ({ id: 1, attempt, startedAt: 0 }));
  const worker = new Worker({
    id: 'one',
    store: {
      claim: async () => builds.splice(0, 1) as StartedBuild[],
      async renew({ only }) {
        asked.push(only);
        return [mine];
      },
      requestStop: async () => undefined,
    },
    labels: new Set(),
    jobs: { enabled: () => [] },
    executors: 2,
    leaseMs: LEASE_MS,
    now: () => 0,
    logger: { info() {}, warn() {}, error() {} },
    run: ({ attempt }) =>
      new Promise(resolve => {
        ends.set(attempt, resolve);
      }),
  });
  worker.wake();
  await vi.waitFor(() => expect(ends.size).toBe(1));
  worker.wake();
  await vi.waitFor(() => expect(ends.size).toBe(2));
  ends.get(1)!();
  await new Promise(resolve => {
    setImmediate(resolve);
  });
  await worker.renew();
  expect(asked).toEqual([[1]]);
  ends.get(2)!();
});
