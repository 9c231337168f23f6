import { isLastRunning } from './buckets';

it.each([
  ['a day', ['2026-11-20', '2026-11-21'], '2026-11-21 23:59:59', true],
  ['a day that is over', ['2026-11-20', '2026-11-21'], '2026-11-22', false],
  [
    'an hour',
    ['2026-11-21 13:00:00', '2026-11-21 14:00:00'],
    '2026-11-21 14:30:00',
    true,
  ],
  [
    'an hour that is over',
    ['2026-11-21 13:00:00', '2026-11-21 14:00:00'],
    '2026-11-21 15:00:00',
    false,
  ],
  ['a week', ['2026-11-15', '2026-11-22'], '2026-11-28 23:00:00', true],
  ['a week that is over', ['2026-11-15', '2026-11-22'], '2026-11-29', false],
  // The month before had 28 days.
  ['a long month', ['2026-02-01', '2026-03-01'], '2026-03-31 12:00:00', true],
  // The month before had 31 days.
  ['a month that is over', ['2026-08-01', '2026-09-01'], '2026-10-01', false],
  ['the only day', ['2026-11-21'], '2026-11-21 12:00:00', true],
  ['an interval to come', ['2026-11-20', '2026-11-21'], '2026-11-20', false],
  ['no interval', [], '2026-11-20', false],
] as const)('tells whether %s is still running', (_, starts, now, expected) => {
  expect(isLastRunning(starts, now)).toBe(expected);
});
