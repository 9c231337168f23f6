import { TriggerLoad } from './BuildTriggers.ts';

/** Starts triggers that end when the returned function is called. */
function hold(load: TriggerLoad, count: number): () => Promise<void> {
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  const all = Array.from({ length: count }, () => load.during(() => held));
  return async () => {
    release();
    await Promise.all(all);
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

it('delays nothing for a few triggers', async () => {
  const load = new TriggerLoad();
  const end = hold(load, 4);
  // Fake timers do not advance, so it would never resolve if it waited.
  expect(await load.settled()).toBeUndefined();
  await end();
  expect(await load.settled()).toBeUndefined();
});

it('waits for the end of a burst, but not for ever', async () => {
  const load = new TriggerLoad();
  const end = hold(load, 5);
  const done = vi.fn();
  void load.settled().then(done);
  await vi.advanceTimersByTimeAsync(40);
  expect(done).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(20);
  expect(done).toHaveBeenCalledOnce();
  await end();

  const all: (() => Promise<void>)[] = [];
  const late = vi.fn();
  all.push(hold(load, 5));
  void load.settled().then(late);
  for (let waited = 0; waited < 460; waited += 20) {
    all.push(hold(load, 1));
    await vi.advanceTimersByTimeAsync(20);
  }
  expect(late).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(60);
  expect(late).toHaveBeenCalledOnce();
  for (const release of all) {
    await release();
  }
});

it('counts a trigger that fails as ended', async () => {
  const load = new TriggerLoad();
  for (let count = 0; count < 10; count += 1) {
    await expect(
      load.during(() => Promise.reject(new Error('full'))),
    ).rejects.toThrow('full');
  }
  await load.settled();
  expect(await load.during(async () => 'one')).toBe('one');
});
