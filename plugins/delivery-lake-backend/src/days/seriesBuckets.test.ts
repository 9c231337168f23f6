import { DateTime } from 'luxon';
import { seriesBuckets, splitPeriod, toDoraPeriod } from './period';

const buckets = (
  start: string,
  end: string,
  interval: 'day' | 'week' | 'month',
  zone = 'Europe/Berlin',
) =>
  seriesBuckets(
    { start: Date.parse(start), end: Date.parse(end) },
    interval,
    zone,
  ).map(bucket => [
    new Date(bucket.start).toISOString().slice(0, 16),
    (bucket.end - bucket.start) / 3_600_000,
    bucket.partial,
  ]);

it('has days of 23, 24 and 25 hours', () => {
  expect(
    buckets('2026-10-23T22:00:00Z', '2026-10-26T23:00:00Z', 'day'),
  ).toEqual([
    ['2026-10-23T22:00', 24, false],
    ['2026-10-24T22:00', 25, false],
    ['2026-10-25T23:00', 24, false],
  ]);
});

it('begins weeks on Monday and cuts them to the period', () => {
  expect(
    buckets('2026-03-25T23:00:00Z', '2026-03-31T22:00:00Z', 'week'),
  ).toEqual([
    ['2026-03-25T23:00', 4 * 24 - 1, true],
    ['2026-03-29T22:00', 48, true],
  ]);
});

it('uses the real length of months', () => {
  expect(
    buckets('2026-02-01T00:00:00Z', '2026-04-15T12:00:00Z', 'month', 'UTC'),
  ).toEqual([
    ['2026-02-01T00:00', 28 * 24, false],
    ['2026-03-01T00:00', 31 * 24, false],
    ['2026-04-01T00:00', 14.5 * 24, true],
  ]);
});

it('is empty for an empty period, and rejects too many buckets', () => {
  const moment = '2026-02-01T00:00:00Z';
  expect(buckets(moment, moment, 'day')).toEqual([]);
  expect(() => buckets('2020-01-01T00:00:00Z', moment, 'day')).toThrow(
    /^interval: /,
  );
});

it.each([
  // Zones whose clocks change at midnight, by half an hour, or across the date line.
  ...['America/Santiago', 'America/Havana', 'Australia/Lord_Howe'],
  ...['Pacific/Apia', 'Asia/Kathmandu', 'UTC'],
])('cuts the years of %s where each day begins', timeZone => {
  const start = DateTime.fromISO('2010-12-31', { zone: timeZone });
  const end = DateTime.fromISO('2013-01-02', { zone: timeZone });
  for (const interval of ['day', 'week', 'month'] as const) {
    const cut = seriesBuckets(
      { start: start.toMillis(), end: end.toMillis() },
      interval,
      timeZone,
    );
    const expected = [];
    let begin = start.startOf(interval);
    while (begin < end) {
      const next = begin.plus({ [interval]: 1 }).startOf(interval);
      const period = {
        start: Math.max(begin.toMillis(), start.toMillis()),
        end: Math.min(next.toMillis(), end.toMillis()),
      };
      expected.push({
        ...splitPeriod(period, timeZone),
        ...toDoraPeriod(period, timeZone),
        partial: begin < start || next > end,
      });
      begin = next;
    }
    expect(cut).toEqual(expected);
  }
});
