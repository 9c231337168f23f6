import { formatDay, localDayOf } from './LocalDay.ts';
import {
  bucketsOf,
  elapsedPart,
  presentPeriod,
  previousPeriod,
  readPeriod,
  weeksOf,
} from './Period.ts';

const options = (now: string, timeZone = 'UTC') => ({
  now: new Date(now),
  timeZone,
});
const read = (
  query: Parameters<typeof readPeriod>[0],
  now = '2026-11-20T12:00:00Z',
  timeZone = 'UTC',
) => presentPeriod(readPeriod(query, options(now, timeZone)));

describe('localDayOf', () => {
  it('starts days according to the time zone, despite clock changes', () => {
    const dayIn = (time: string, zone: string) =>
      formatDay(localDayOf(Date.parse(time), zone));
    expect(dayIn('2026-11-20T23:59:59.999Z', 'UTC')).toBe('2026-11-20');
    expect(dayIn('2026-11-20T23:00:00Z', 'Europe/Berlin')).toBe('2026-11-21');
    // The clock is set back at 03:00: the day has 25 hours.
    expect(dayIn('2026-10-24T22:00:00Z', 'Europe/Berlin')).toBe('2026-10-25');
    expect(dayIn('2026-10-25T22:59:59Z', 'Europe/Berlin')).toBe('2026-10-25');
    expect(dayIn('2026-10-25T23:00:00Z', 'Europe/Berlin')).toBe('2026-10-26');
    expect(dayIn('1969-12-31T23:00:00Z', 'UTC')).toBe('1969-12-31');
  });
});

describe('readPeriod', () => {
  it('defaults to the last thirty days and today', () => {
    expect(read({})).toEqual({ start: '2026-10-21', end: '2026-11-20' });
    expect(read({ end_date: '2026-03-31' })).toEqual({
      start: '2026-03-01',
      end: '2026-03-31',
    });
    expect(read({}, '2026-11-20T23:30:00Z', 'Europe/Berlin').end).toBe(
      '2026-11-21',
    );
  });

  it.each([
    ['2026-11-02', '2026-11-01'],
    ['2026-11-02T10:00:00Z', '2026-11-02T09:59:59Z'],
    ['2026-11-02T10:00:00+02:00', '2026-11-02T07:59:59Z'],
    ['2026-11-02T00:00:00.001Z', '2026-11-02T00:00:00Z'],
    ['2026-11-02', '2026-11-01T23:59:59Z'],
    ['2026-11-21', undefined],
  ])('rejects a start at %s and an end at %s', (start, end) => {
    expect(() => read({ start_date: start, end_date: end })).toThrow(
      'start_date must not be after end_date',
    );
  });

  it.each([
    ['2026-11-02T10:00:00Z', '2026-11-02T10:00:00Z'],
    ['2026-11-02T00:00:00Z', '2026-11-02T00:00:00Z'],
    ['2026-11-02', '2026-11-02T00:00:00Z'],
    ['2026-11-02T23:00:00Z', '2026-11-02'],
  ])('parses a start at %s and an end at %s as that day', (start, end) => {
    expect(read({ start_date: start, end_date: end })).toEqual({
      start: '2026-11-02',
      end: '2026-11-02',
    });
  });

  it('treats dates as whole days and times as their days', () => {
    expect(
      read({
        start_date: '2026-11-01T23:30:00+01:00',
        end_date: '2026-11-10T00:00:00Z',
      }),
    ).toEqual({ start: '2026-11-01', end: '2026-11-09' });
    // What an unencoded plus sign in a query becomes.
    expect(read({ start_date: '2026-11-01T23:30:00 01:00' }).start).toBe(
      '2026-11-01',
    );
    expect(read({ start_date: '2026-11-05', end_date: '2026-11-05' })).toEqual({
      start: '2026-11-05',
      end: '2026-11-05',
    });
  });

  it.each([
    [{ start_date: '2026-11-05', end_date: '2026-11-04' }, 'after end_date'],
    [{ start_date: '2026-13-01' }, 'ISO 8601'],
    [{ end_date: 'P1D' }, 'ISO 8601'],
    [{ start_date: '1066-10-14' }, '100 years'],
  ])('refuses %j', (query, message) => {
    expect(() => read(query)).toThrow(message);
  });
});

describe('periods', () => {
  const period = readPeriod(
    { start_date: '2026-01-30', end_date: '2026-03-02' },
    options('2026-11-20T12:00:00Z'),
  );

  it('are divided at Mondays and at the start of months', () => {
    expect(bucketsOf(period, 'monthly').map(presentPeriod)).toEqual([
      { start: '2026-01-30', end: '2026-01-31' },
      { start: '2026-02-01', end: '2026-02-28' },
      { start: '2026-03-01', end: '2026-03-02' },
    ]);
    const weeks = bucketsOf(period, 'weekly').map(presentPeriod);
    expect(weeks.at(0)).toEqual({ start: '2026-01-30', end: '2026-02-01' });
    expect(weeks.at(1)).toEqual({ start: '2026-02-02', end: '2026-02-08' });
    expect(weeks.at(-1)).toEqual({ start: '2026-03-02', end: '2026-03-02' });
    expect(bucketsOf(period, 'daily')).toHaveLength(32);
  });

  it('are preceded by one of the same length', () => {
    expect(presentPeriod(previousPeriod(period))).toEqual({
      start: '2025-12-29',
      end: '2026-01-29',
    });
  });

  it('include only elapsed days', () => {
    expect(weeksOf(elapsedPart(period, period.start + 6))).toBe(1);
    expect(weeksOf(elapsedPart(period, period.end + 50))).toBe(32 / 7);
    expect(weeksOf(elapsedPart(period, period.start - 50))).toBe(1 / 7);
  });
});
