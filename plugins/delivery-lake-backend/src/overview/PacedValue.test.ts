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

it('looks every time while that is quick', async () => {
  const { value, wait } = paced(0);
  expect(await value.get()).toBe(1);
  wait(1);
  expect(await value.get()).toBe(2);
});

it('rests fifty times as long as looking took', async () => {
  const { value, wait } = paced(100);
  expect(await value.get()).toBe(1);
  wait(4_999);
  expect(await value.get()).toBe(1);
  wait(1);
  expect(await value.get()).toBe(2);
});

it('looks once for all who ask meanwhile, and again after a failure', async () => {
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
