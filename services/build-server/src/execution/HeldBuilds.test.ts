import type { Build } from '../builds/Build.ts';
import type { HeldBuild } from '../builds/BuildStore.ts';
import { HeldBuilds } from './HeldBuilds.ts';

const LEASE_MS = 10_000;

/** A worker whose store answers as a test says. */
function hold(answer: () => Promise<HeldBuild[]>) {
  let now = 0;
  const held = new HeldBuilds({
    worker: 'one',
    store: { renew: answer },
    leaseMs: LEASE_MS,
    now: () => now,
    logger: { info() {}, warn() {}, error() {} },
  });
  let reason: unknown;
  void held.hold(
    { id: 1, attempt: 2 } as Build,
    signal =>
      new Promise(resolve => {
        signal.addEventListener('abort', () => {
          reason = signal.reason;
          resolve();
        });
      }),
  );
  return {
    held,
    reason: () => reason,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

const mine = { id: 1, attempt: 2, stopRequestedBy: null };

it('keeps a build while the store says that it is its own', async () => {
  const { held, reason } = hold(async () => [mine]);
  await held.renew();
  expect([held.size, reason()]).toEqual([1, undefined]);
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
  const { held, reason } = hold(async () => answer);
  await held.renew();
  expect(reason()).toEqual(expected);
  await vi.waitFor(() => expect(held.size).toBe(0));
});

it('ends what it cannot keep hold of, once others may take it', async () => {
  const { held, reason, pass } = hold(() => Promise.reject(new Error('gone')));
  pass(LEASE_MS);
  await held.renew();
  expect(reason()).toBeUndefined();
  pass(1);
  await held.renew();
  expect(reason()).toEqual({ kind: 'lost' });
});

it('waits for all that it ends', async () => {
  const { held, reason } = hold(async () => [mine]);
  await held.endAll({ kind: 'shutdown' });
  expect([held.size, reason()]).toEqual([0, { kind: 'shutdown' }]);
});
