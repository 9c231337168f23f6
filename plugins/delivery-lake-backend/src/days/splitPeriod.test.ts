import { dayOf, splitPeriod, wholeMonths } from './period';

const split = (start: string, end: string, zone = 'Europe/Berlin') =>
  splitPeriod({ start: Date.parse(start), end: Date.parse(end) }, zone);
const hours = (edges: { start: number; end: number; day: number }[]) =>
  edges.map(({ start, end, day }) => [day, (end - start) / 3_600_000]);

describe('splitPeriod', () => {
  it('has only whole days between two midnights', () => {
    const period = split('2026-03-27T23:00:00Z', '2026-03-30T22:00:00Z');
    expect(period).toMatchObject({
      whole: { first: 20260328, last: 20260330 },
      touched: { first: 20260328, last: 20260330 },
      edges: [],
    });
  });

  it('leaves parts of days at the ends, also of days of 23 and 25 hours', () => {
    const spring = split('2026-03-29T10:00:00Z', '2026-03-31T10:00:00Z');
    expect(spring).toMatchObject({
      whole: { first: 20260330, last: 20260330 },
      touched: { first: 20260329, last: 20260331 },
    });
    expect(hours(spring.edges)).toEqual([
      [20260329, 12],
      [20260331, 12],
    ]);
    const autumn = split('2026-10-24T22:00:01Z', '2026-10-25T23:00:01Z');
    expect(autumn.whole).toBeUndefined();
    expect(hours(autumn.edges)).toEqual([
      [20261025, 25 - 1 / 3600],
      [20261026, 1 / 3600],
    ]);
  });

  it('does not split a part of one day', () => {
    const period = split('2026-05-01T10:00:00Z', '2026-05-01T11:00:00Z');
    expect(period.whole).toBeUndefined();
    expect(hours(period.edges)).toEqual([[20260501, 1]]);
    const morning = split('2026-04-30T22:00:00Z', '2026-05-01T11:00:00Z');
    expect(hours(morning.edges)).toEqual([[20260501, 13]]);
  });

  it('contains nothing if it is empty', () => {
    const period = split('2026-05-01T10:00:00Z', '2026-05-01T10:00:00Z');
    expect(period.touched).toBeUndefined();
    expect(period.edges).toEqual([]);
  });

  it('begins a day without midnight at its first moment', () => {
    // In Santiago de Chile, clocks went from 23:59 to 01:00.
    const period = split(
      '2026-09-06T04:00:00Z',
      '2026-09-07T03:00:00Z',
      'America/Santiago',
    );
    expect(period.whole).toEqual({ first: 20260906, last: 20260906 });
    expect(period.edges).toEqual([]);
  });
});

it('numbers the days of the time zone', () => {
  const moment = Date.parse('2026-03-01T04:30:00Z');
  expect(dayOf(moment, 'UTC')).toBe(20260301);
  expect(dayOf(moment, 'America/New_York')).toBe(20260228);
});

describe('wholeMonths', () => {
  it.each([
    [20260101, 20261231, [202601, 202612], []],
    [20260201, 20260228, [202602, 202602], []],
    [20240201, 20240228, undefined, [[20240201, 20240228]]],
    [
      20251215,
      20260302,
      [202601, 202602],
      [
        [20251215, 20251231],
        [20260301, 20260302],
      ],
    ],
    [20260102, 20260131, undefined, [[20260102, 20260131]]],
    [20260115, 20260214, undefined, [[20260115, 20260214]]],
  ])('finds those between %i and %i', (first, last, months, days) => {
    expect(wholeMonths({ first, last })).toEqual({
      months: months && { first: months[0], last: months[1] },
      days: days.map(([from, to]) => ({ first: from, last: to })),
    });
  });
});
