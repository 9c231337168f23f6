import { arrangeStages } from './stages';

const arrange = (...steps: [name: string, ...needs: number[]][]) =>
  arrangeStages(steps.map(([name, ...needs]) => ({ name, needs })));

it('leaves a plain sequence to a list', () => {
  expect(arrange(['Check out'], ['Test', 0], ['Deploy', 1])).toBeUndefined();
  // Older servers did not send dependencies.
  expect(arrangeStages([{ name: 'Test' }, { name: 'Lint' }])).toBeUndefined();
});

it('puts steps behind those that they need', () => {
  const cards = arrange(
    ['Check out'],
    ['Lint', 0],
    ['Compile', 0],
    ['Test', 2],
    ['Deploy', 1, 3, 0],
  );
  expect(cards).toEqual([
    { id: 0, steps: [0], isChain: true, column: 0, needs: [] },
    { id: 1, steps: [1], isChain: true, column: 1, needs: [0] },
    { id: 2, steps: [2, 3], isChain: true, column: 1, needs: [0] },
    // Transitive dependencies are not drawn.
    { id: 4, steps: [4], isChain: true, column: 2, needs: [1, 2] },
  ]);
});

it('gathers the combinations of a matrix', () => {
  const matrix = Array.from({ length: 298 }, (_, index): [string, number] => [
    `Test (${index})`,
    0,
  ]);
  const cards = arrange(['Build'], ...matrix, ['Publish', 1, 2, 298]);
  expect(cards?.map(({ steps, column }) => [steps.length, column])).toEqual([
    [1, 0],
    [298, 1],
    [1, 2],
  ]);
});
