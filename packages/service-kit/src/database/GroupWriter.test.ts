import { GroupWriter } from './GroupWriter.ts';

it('writes waiting items together, and returns each result', async () => {
  const groups: number[][] = [];
  const writer = new GroupWriter<number, string>({
    groupSize: 3,
    async write(items) {
      groups.push([...items]);
      return items.map(item => `wrote ${item}`);
    },
  });
  const results = await Promise.all([1, 2, 3, 4].map(item => writer.add(item)));
  expect(results).toEqual(['wrote 1', 'wrote 2', 'wrote 3', 'wrote 4']);
  expect(groups).toEqual([[1, 2, 3], [4]]);
  await expect(writer.add(5)).resolves.toBe('wrote 5');
});

it('fails only the bad item', async () => {
  const writer = new GroupWriter<number, number>({
    isolates: true,
    async write(items) {
      if (items.includes(2)) {
        throw new Error('2 is bad');
      }
      return items;
    },
  });
  const outcomes = await Promise.allSettled(
    [1, 2, 3].map(item => writer.add(item)),
  );
  expect(outcomes).toMatchObject([
    { status: 'fulfilled', value: 1 },
    { status: 'rejected', reason: { message: '2 is bad' } },
    { status: 'fulfilled', value: 3 },
  ]);
});

it('waits while further items arrive, if asked to', async () => {
  const groups: number[][] = [];
  const writer = new GroupWriter<number, number>({
    arrivalMs: 10_000,
    groupSize: 4,
    async write(items) {
      groups.push([...items]);
      return items;
    },
  });
  const added: Promise<number>[] = [];
  for (const item of [1, 2, 3, 4, 5, 6]) {
    added.push(writer.add(item));
    await new Promise(setImmediate);
  }
  await expect(Promise.all(added)).resolves.toEqual([1, 2, 3, 4, 5, 6]);
  expect(groups).toEqual([
    [1, 2, 3, 4],
    [5, 6],
  ]);
});
