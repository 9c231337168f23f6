import {
  formatClock,
  formatDuration,
  formatMoment,
  formatRelative,
} from './formatTime';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');

describe('formatRelative', () => {
  it.each([
    ['2026-11-21T12:00:00.000Z', 'just now'],
    ['2026-11-21T11:59:20.000Z', 'just now'],
    ['2026-11-21T11:59:10.000Z', '1 minute ago'],
    ['2026-11-21T11:55:00.000Z', '5 minutes ago'],
    ['2026-11-21T14:30:00.000Z', 'in 2 hours'],
    ['2026-11-20T11:00:00.000Z', 'yesterday'],
    ['2026-11-19T13:00:00.000Z', '2 days ago'],
    ['2026-11-23T11:00:00.000Z', 'in 2 days'],
    ['2026-10-23T12:00:00.000Z', '29 days ago'],
    ['2026-10-10T12:00:00.000Z', '1 month ago'],
    ['2026-09-01T12:00:00.000Z', '2 months ago'],
    ['2024-11-01T12:00:00.000Z', '2 years ago'],
  ])('formats %s as %s', (time, expected) => {
    expect(formatRelative(Date.parse(time), NOW)).toBe(expected);
  });
});

describe('formatDuration', () => {
  it.each([
    [-5, '0.0 s'],
    [40, '40 ms'],
    [460, '0.4 s'],
    [12_900, '12 s'],
    [60_000, '1 min'],
    [72_000, '1 min 12 s'],
    [7_500_000, '2 h 5 min'],
    [273_600_000, '3 d 4 h'],
  ])('writes %d ms as %s', (milliseconds, expected) => {
    expect(formatDuration(milliseconds)).toBe(expected);
  });
});

describe('formatClock', () => {
  const time = new Date(2026, 11, 24, 7, 5, 30).getTime();

  it('uses the 24-hour clock, with seconds if asked', () => {
    expect(formatClock(time + 12 * 3_600_000)).toBe('19:05');
    expect(formatClock(time, { seconds: true })).toBe('07:05:30');
  });

  it('adds the day if it is not today', () => {
    const evening = new Date(2026, 11, 24, 23, 59).getTime();
    expect(formatMoment(time, evening)).toBe('07:05');
    expect(formatMoment(time, evening + 60_000)).toBe('24 Dec, 07:05');
  });
});
