import {
  daysIn,
  formatRange,
  parseRange,
  resolvePeriod,
  todayIn,
} from './period';

const TODAY = '2026-03-01';

describe('resolvePeriod', () => {
  it.each([
    ['', '2026-01-31', 30],
    ['90d', '2025-12-02', 90],
    ['12m', '2025-03-02', 365],
    ['tomorrow', '2026-01-31', 30],
    ['2026-02-30..', '2026-01-31', 30],
  ])('parses %j as days up to today', (text, startDate, days) => {
    const period = resolvePeriod(text, TODAY);
    expect(period).toEqual({ startDate, endDate: TODAY });
    expect(daysIn(period)).toBe(days);
  });

  it('keeps dates unchanged', () => {
    const range = { startDate: '2026-02-02', endDate: '2026-02-08' };
    expect(resolvePeriod(formatRange(range), TODAY)).toEqual(range);
    expect(daysIn(range)).toBe(7);
  });

  it.each([
    '2026-02-08..2026-02-02',
    '2026-13-01..2026-13-02',
    '2026-02-30..2026-03-05',
    '2026-02-01..2026-02-29',
    '..',
  ])('rejects the range %j', text => expect(parseRange(text)).toBeUndefined());
});

describe('todayIn', () => {
  it('returns the date in the time zone', () => {
    const now = Date.parse('2026-11-21T23:30:00Z');
    expect(todayIn('UTC', now)).toBe('2026-11-21');
    expect(todayIn('Asia/Tokyo', now)).toBe('2026-11-22');
  });
});
