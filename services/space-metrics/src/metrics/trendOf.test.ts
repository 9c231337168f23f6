import type { Field, Reading } from './Dimension.ts';
import { trendOf } from './SpaceMetrics.ts';

const fields: Field[] = [
  { name: 'score', sample: 'n', better: 'higher', scale: 'score' },
  { name: 'hours', sample: 'm', better: 'lower', scale: 'ratio' },
];

const reading = (
  score: number | null,
  hours: number | null,
  samples = { n: 1, m: 1 },
): Reading => ({ values: { score, hours }, samples, suppressed: false });

it.each([
  ['more is better', reading(20, 10), reading(10, 10), 'improving'],
  ['less is better', reading(10, 8), reading(10, 10), 'improving'],
  ['more is worse', reading(10, 12), reading(10, 10), 'declining'],
  ['within the bands', reading(15, 11), reading(10, 10), 'stable'],
  ['one of each', reading(20, 20), reading(10, 10), 'stable'],
  ['hidden before', reading(20, 10), reading(null, 10), 'stable'],
  ['nothing before', reading(20, 10), reading(0, 20, { n: 0, m: 0 }), 'stable'],
  [
    'nothing but one',
    reading(0, 5, { n: 0, m: 3 }),
    reading(50, 10),
    'improving',
  ],
])('%s', (_, current, previous, trend) => {
  expect(trendOf(fields, { current, previous })).toBe(trend);
});

it('compares totals by week, and rates as they are', () => {
  const totals: Field[] = [{ ...fields[1], better: 'higher', isTotal: true }];
  const weeks = { current: 2, previous: 4 };
  const readings = { current: reading(0, 5), previous: reading(0, 10) };
  expect(trendOf(totals, { ...readings, weeks })).toBe('stable');
  expect(trendOf(totals, readings)).toBe('declining');
  expect(trendOf([fields[1]], { ...readings, weeks })).toBe('improving');
  const none = { current: 0, previous: 0 };
  expect(trendOf(totals, { ...readings, weeks: none })).toBe('declining');
});
