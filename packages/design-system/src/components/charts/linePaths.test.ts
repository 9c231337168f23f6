import { linePaths } from './scales';

describe('linePaths', () => {
  it('connects neighbours, leaves gaps and dashes provisional values', () => {
    expect(
      linePaths([
        { height: 0 },
        { height: 1 },
        { height: null },
        { height: 0.5 },
        { height: 0.5, tentative: true },
      ]),
    ).toEqual({ solid: 'M10 100L30 0', dashed: 'M70 50L90 50' });
  });

  it('draws no line for a single point', () => {
    expect(linePaths([{ height: 1 }])).toEqual({ solid: '', dashed: '' });
  });
});
