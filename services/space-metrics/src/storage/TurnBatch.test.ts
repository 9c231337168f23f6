import { TurnBatch } from './TurnBatch.ts';

it('answers questions of one turn together, and later ones separately', async () => {
  const asked: number[][] = [];
  const batch = new TurnBatch<number, number>(async questions => {
    asked.push([...questions]);
    return questions.map(question => question * 10);
  });
  const later = Promise.resolve().then(() => batch.ask(3));
  expect(await Promise.all([batch.ask(1), batch.ask(2), later])).toEqual([
    10, 20, 30,
  ]);
  expect(await batch.ask(1)).toBe(10);
  expect(asked).toEqual([[1, 2, 3], [1]]);
});

it('rejects all questions of a failed batch', async () => {
  const batch = new TurnBatch<number, number>(async () => {
    throw new Error('gone');
  });
  const outcomes = await Promise.allSettled([batch.ask(1), batch.ask(2)]);
  expect(outcomes.map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
  ]);
});
