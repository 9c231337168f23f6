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

  it('connects points across gaps if asked to', () => {
    const points = [{ height: 0 }, { height: null }, { height: 1 }];
    expect(linePaths(points).solid).toBe('');
    expect(linePaths(points, { spansGaps: true }).solid).toBe(
      'M16.67 100L83.33 0',
    );
  });

  it('draws no line for a single point', () => {
    expect(linePaths([{ height: 1 }])).toEqual({ solid: '', dashed: '' });
  });
});
