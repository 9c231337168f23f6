import type { HeldBuild, StartedBuild } from '../builds/Build.ts';
import { Worker } from './Worker.ts';

const LEASE_MS = 10_000;

/** Creates a worker with one build, whose store returns what a test specifies. */
async function hold(answer: () => Promise<HeldBuild[]>) {
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
  await vi.waitFor(() => expect(worker.size).toBe(1), { timeout: 10_000 });
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
  await vi.waitFor(() => expect(worker.size).toBe(0), { timeout: 10_000 });
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

it('waits for all that it ends', async () => {
  const { worker, reason } = await hold(async () => [mine]);
  await worker.stop();
  expect([worker.size, reason()]).toEqual([0, { kind: 'shutdown' }]);
});
