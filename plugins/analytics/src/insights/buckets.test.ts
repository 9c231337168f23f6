import { endOf, firstRunning, momentOf } from './buckets';

const DAYS = ['2026-11-20', '2026-11-21'];
const HOURS = ['2026-11-21 13:00:00', '2026-11-21 14:00:00'];
const WEEKS = ['2026-11-15', '2026-11-22'];
/** The hours in which clocks are set back from 2:00 to 1:00. */
const REPEATED = ['00', '01', '01'].map(hour => `2026-11-01 ${hour}:00:00`);
/** The hours in which clocks are set forward from 2:00 to 3:00. */
const SKIPPED = ['00', '01', '03'].map(hour => `2026-03-08 ${hour}:00:00`);

it.each([
  ['a day', 'day', DAYS, '2026-11-21 23:59:59', 1],
  ['a day that is over', 'day', DAYS, '2026-11-22 00:00:00', -1],
  ['the only day', 'day', ['2026-11-21'], '2026-11-21 12:00:00', 0],
  ['days to come', 'day', DAYS, '2026-11-20 12:00:00', 0],
  ['an hour', 'hour', HOURS, '2026-11-21 14:30:00', 1],
  ['an hour that is over', 'hour', HOURS, '2026-11-21 15:00:00', -1],
  ['a repeated hour', 'hour', REPEATED, '2026-11-01 01:30:00', 2],
  ['an hour after a gap', 'hour', SKIPPED, '2026-03-08 03:30:00', 2],
  ['a past hour after a gap', 'hour', SKIPPED, '2026-03-08 04:00:00', -1],
  ['a week', 'week', WEEKS, '2026-11-28 23:00:00', 1],
  ['a week that is over', 'week', WEEKS, '2026-11-29 00:00:00', -1],
  ['the only week', 'week', ['2026-11-22'], '2026-11-27 12:00:00', 0],
  // The month before had 28 days.
  ['a long month', 'month', ['2026-02-01', '2026-03-01'], '2026-03-31', 1],
  // The month before had 31 days.
  ['a past month', 'month', ['2026-08-01', '2026-09-01'], '2026-10-01', -1],
  ['the only month', 'month', ['2026-12-01'], '2026-12-31 23:59:59', 0],
  ['no interval', 'day', [], '2026-11-20', -1],
] as const)('finds %s that is not over', (_, unit, starts, now, expected) => {
  expect(firstRunning(starts, { unit, now })).toBe(expected);
});

it('ends a month at the start of the next', () => {
  expect(endOf('2026-12-01', 'month')).toBe(momentOf('2027-01-01'));
});
