import { DEFAULTS, sinceStartOf } from './webLists';

describe('sinceStartOf', () => {
  it.each([
    ['-24h', 'timestamp >= toStartOfHour(now() - interval 24 hour)'],
    ['-7d', 'timestamp >= toStartOfDay(now() - interval 7 day)'],
    ['-2w', 'timestamp >= toStartOfDay(now() - interval 2 week)'],
    ['-1m', 'timestamp >= toStartOfDay(now() - interval 1 month)'],
    ['-1y', 'timestamp >= toStartOfDay(now() - interval 1 year)'],
  ])('reads %s', (period, condition) => {
    expect(sinceStartOf({ ...DEFAULTS, period })).toEqual([condition]);
  });

  it('has no condition for another period', () => {
    expect(sinceStartOf({ ...DEFAULTS, period: 'all' })).toEqual([]);
  });

  it('includes both days of a custom period', () => {
    expect(
      sinceStartOf({ ...DEFAULTS, from: '2026-11-01', to: '2026-11-05' }),
    ).toEqual([
      "toDate(timestamp) >= toDate('2026-11-01')",
      "toDate(timestamp) <= toDate('2026-11-05')",
    ]);
  });
});
