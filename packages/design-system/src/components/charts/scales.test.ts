import {
  type ChartScale,
  durationScale,
  niceTicks,
  numberScale,
} from './scales';

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

const written = ({ ticks, formatTick }: ChartScale) => ticks.map(formatTick);

describe('numberScale', () => {
  it.each([
    [0.12, ['0.00', '0.05', '0.10', '0.15']],
    [0.013, ['0.000', '0.005', '0.010', '0.015']],
    [1, ['0.00', '0.25', '0.50', '0.75', '1.00']],
    [2, ['0.0', '0.5', '1.0', '1.5', '2.0']],
    [10, ['0.0', '2.5', '5.0', '7.5', '10.0']],
    [4_200, ['0', '2,000', '4,000', '6,000']],
  ])('formats up to %d with the decimals of its step', (max, expected) => {
    expect(written(numberScale(max))).toEqual(expected);
  });

  it.each([
    [0, ['0', '1', '2', '3', '4']],
    [10, ['0', '5', '10']],
    [83, ['0', '25', '50', '75', '100']],
  ])('counts up to %d in whole steps', (max, expected) => {
    expect(written(numberScale(max, { whole: true }))).toEqual(expected);
  });

  it('formats fractions as percentages', () => {
    const percent = { per: 0.01, write: (figure: string) => `${figure}%` };
    expect(written(numberScale(0.002, percent))).toEqual([
      '0.00%',
      '0.05%',
      '0.10%',
      '0.15%',
      '0.20%',
    ]);
  });
});

describe('durationScale', () => {
  it.each([
    [0, ['0 s', '15 s', '30 s', '45 s', '60 s']],
    [300, ['0.0 s', '0.1 s', '0.2 s', '0.3 s']],
    [9_000, ['0 s', '5 s', '10 s']],
    [83_000, ['0 s', '30 s', '60 s', '90 s']],
    [250_000, ['0 min', '2 min', '4 min', '6 min']],
    [20 * 3_600_000, ['0 h', '6 h', '12 h', '18 h', '24 h']],
    [10 * 86_400_000, ['0 d', '5 d', '10 d']],
  ])('goes up to %d ms in time steps', (max, expected) => {
    expect(written(durationScale(max))).toEqual(expected);
  });

  it('accepts values in another unit', () => {
    const { ticks, formatTick } = durationScale(6, 3_600_000);
    expect(ticks).toEqual([0, 2, 4, 6]);
    expect(ticks.map(formatTick)).toEqual(['0 h', '2 h', '4 h', '6 h']);
  });
});

it('has distinct ticks that reach the largest value, whatever that is', () => {
  const maxima = Array.from(
    { length: 430 },
    (_, index) => 10 ** (index / 27 - 6),
  );
  const bad = maxima.filter(max =>
    [
      numberScale(max),
      numberScale(max, { whole: true }),
      numberScale(max, { per: 0.01 }),
      durationScale(max),
    ].some(scale => {
      const texts = written(scale);
      return (
        new Set(texts).size < texts.length ||
        texts.length > 5 ||
        scale.ticks[texts.length - 1] < max * (1 - 1e-9)
      );
    }),
  );
  expect(bad).toEqual([]);
});
