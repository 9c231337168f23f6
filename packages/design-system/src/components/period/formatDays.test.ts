import { formatDays } from './period';

describe('formatDays', () => {
  it.each([
    ['2026-11-21', '2026-11-21', '21 Nov 2026'],
    ['2026-11-02', '2026-11-08', '2 – 8 Nov 2026'],
    ['2026-10-30', '2026-11-05', '30 Oct – 5 Nov 2026'],
  ])('writes %s to %s', (startDate, endDate, expected) => {
    expect(formatDays({ startDate, endDate })).toBe(expected);
  });
});
