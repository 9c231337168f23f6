import { niceTicks } from './scales';

describe('niceTicks', () => {
  it.each([
    [0, [0, 0.25, 0.5, 0.75, 1]],
    [0.3, [0, 0.1, 0.2, 0.3]],
    [4, [0, 1, 2, 3, 4]],
    [7.3, [0, 2, 4, 6, 8]],
    [83, [0, 25, 50, 75, 100]],
    [1240, [0, 500, 1000, 1500]],
  ])('reaches over %d in even steps', (max, ticks) => {
    expect(niceTicks(max)).toEqual(ticks);
  });
});
