import { PacedValue } from './OverviewService';

function paced(cost: number) {
  let now = 0;
  let reads = 0;
  const value = new PacedValue({
    now: () => now,
    read: async () => {
      now += cost;
      reads += 1;
      return reads;
    },
  });
  return { value, wait: (time: number) => (now += time) };
}

it('computes every time as long as that is fast', async () => {
  const { value, wait } = paced(0);
  expect(await value.get()).toBe(1);
  wait(1);
  expect(await value.get()).toBe(2);
});

it('pauses for fifty times the duration of the computation', async () => {
  const { value, wait } = paced(100);
  expect(await value.get()).toBe(1);
  wait(4_999);
  expect(await value.get()).toBe(1);
  wait(1);
  expect(await value.get()).toBe(2);
});

it('computes once for concurrent callers, and again after a failure', async () => {
  let reads = 0;
  const value = new PacedValue({
    now: Date.now,
    read: async () => {
      reads += 1;
      if (reads === 1) {
        throw new Error('gone');
      }
      return reads;
    },
  });
  const both = await Promise.allSettled([value.get(), value.get()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(reads).toBe(1);
  expect(await value.get()).toBe(2);
});
