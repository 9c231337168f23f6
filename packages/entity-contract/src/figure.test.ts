import { changeOf } from './changeOf.ts';
import { figure, labelOf } from './figure.ts';

const rate = { id: 'rate', label: 'Success rate', kind: 'percent' } as const;

it.each([
  ['higher', 80, 50, 'better'],
  ['higher', 50, 80, 'worse'],
  ['lower', 80, 50, 'worse'],
  ['lower', 50, 80, 'better'],
  ['neither', 80, 50, 'same'],
  // Within a tenth of the previous value.
  ['higher', 55, 50, 'same'],
  ['higher', 45, 50, 'same'],
  ['higher', 55.1, 50, 'better'],
  ['lower', 0, 0, 'same'],
  ['lower', 1, 0, 'worse'],
] as const)(
  'judges if %s is better: %d after %d is %s',
  (better, value, previous, tone) => {
    expect(figure({ ...rate, value, previous, better })).toEqual({
      ...rate,
      value,
      previous,
      tone,
    });
  },
);

it.each([
  ['ratio', 100, 110, 0],
  ['ratio', 100, 110.1, 1],
  ['ratio', 100, 89.9, -1],
  ['ratio', -10, -9, 0],
  ['ratio', 3.3, 3.63, 0],
  ['score', 20, 25, 0],
  ['score', 20, 26, 1],
  ['rating', 3.9, 4, 0],
  ['rating', 4.2, 4, -1],
  ['load', 40, 43, 0],
  ['load', 40, 36, -1],
  ['share', 0.9, 0.92, 0],
  ['share', 0.9, 0.93, 1],
] as const)(
  'compares on the scale %s: from %d to %d is %d',
  (scale, previous, value, change) => {
    expect(changeOf({ scale, value, previous })).toBe(change);
  },
);

it('judges nothing without a current or previous value', () => {
  expect(
    figure({ ...rate, value: undefined, previous: 5, better: 'higher' }),
  ).toEqual({ ...rate, value: null });
  expect(
    figure({ ...rate, value: 5, previous: null, better: 'higher' }),
  ).toEqual({ ...rate, value: 5 });
});

it('creates single-line labels', () => {
  expect(labelOf(' Fix the till \n\nIt was broken')).toBe('Fix the till');
  expect(labelOf('\n\nFix the till\n')).toBe('Fix the till');
  expect(labelOf('x'.repeat(300))).toHaveLength(200);
});
