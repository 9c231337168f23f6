import { formatDuration, formatRelative } from './formatTime';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');

describe('formatRelative', () => {
  it.each([
    ['2026-11-21T12:00:00.000Z', 'just now'],
    ['2026-11-21T11:59:20.000Z', 'just now'],
    ['2026-11-21T11:59:10.000Z', '1 minute ago'],
    ['2026-11-21T11:55:00.000Z', '5 minutes ago'],
    ['2026-11-21T14:30:00.000Z', 'in 2 hours'],
    ['2026-11-20T11:00:00.000Z', 'yesterday'],
    ['2026-09-01T12:00:00.000Z', '2 months ago'],
    ['2024-11-01T12:00:00.000Z', '2 years ago'],
  ])('formats %s as %s', (time, expected) => {
    expect(formatRelative(Date.parse(time), NOW)).toBe(expected);
  });
});

describe('formatDuration', () => {
  it.each([
    [-5, '0.0 s'],
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
