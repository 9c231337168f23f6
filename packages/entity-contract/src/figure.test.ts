import { figure, labelOf } from './figure.ts';

const rate = { id: 'rate', label: 'Success rate', kind: 'percent' } as const;

it.each([
  ['higher', 80, 50, 'better'],
  ['higher', 50, 80, 'worse'],
  ['lower', 80, 50, 'worse'],
  ['lower', 50, 80, 'better'],
  ['neither', 80, 50, 'same'],
  // Within a tenth of the value before.
  ['higher', 55, 50, 'same'],
  ['higher', 45, 50, 'same'],
  ['higher', 55.1, 50, 'better'],
  ['lower', 0, 0, 'same'],
  ['lower', 1, 0, 'worse'],
] as const)(
  'judges where %s is good: %d after %d is %s',
  (better, value, previous, tone) => {
    expect(figure({ ...rate, value, previous, better })).toEqual({
      ...rate,
      value,
      previous,
      tone,
    });
  },
);

it('judges nothing without a value, or without one before', () => {
  expect(
    figure({ ...rate, value: undefined, previous: 5, better: 'higher' }),
  ).toEqual({ ...rate, value: null });
  expect(
    figure({ ...rate, value: 5, previous: null, better: 'higher' }),
  ).toEqual({ ...rate, value: 5 });
});

it('makes labels of one line', () => {
  expect(labelOf(' Fix the till \n\nIt was broken')).toBe('Fix the till');
  expect(labelOf('x'.repeat(300))).toHaveLength(200);
});
