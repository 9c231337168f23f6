import { parsePeriod, previousPeriod, toDoraPeriod } from './period';

const NOW = Date.parse('2026-11-21T10:30:00Z');
const parse = (
  query: { startDate?: string; endDate?: string },
  timeZone = 'UTC',
) => {
  const { start, end } = parsePeriod(query, { timeZone, now: NOW });
  return [new Date(start).toISOString(), new Date(end).toISOString()];
};

describe('parsePeriod', () => {
  it('is by default from 30 days ago to the end of today', () => {
    expect(parse({})).toEqual([
      '2026-10-22T00:00:00.000Z',
      '2026-11-22T00:00:00.000Z',
    ]);
    // It is already the next day there, and daylight saving time ended in between.
    expect(parse({}, 'Pacific/Auckland')[1]).toBe('2026-11-21T11:00:00.000Z');
    expect(parse({}, 'Europe/Berlin')).toEqual([
      '2026-10-21T22:00:00.000Z',
      '2026-11-21T23:00:00.000Z',
    ]);
  });

  it('uses the given end, and starts 30 days before an end in the past', () => {
    expect(parse({ startDate: '2026-11-01' })).toEqual([
      '2026-11-01T00:00:00.000Z',
      '2026-11-22T00:00:00.000Z',
    ]);
    expect(parse({ endDate: '2026-03-31' })).toEqual([
      '2026-03-01T00:00:00.000Z',
      '2026-04-01T00:00:00.000Z',
    ]);
  });

  it('interprets dates in the time zone, with days of different lengths', () => {
    const day = { startDate: '2026-03-29', endDate: '2026-03-29' };
    expect(parse(day, 'Europe/Berlin')).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
  });

  it('uses timestamps unchanged', () => {
    expect(
      parse(
        {
          startDate: '2026-03-29T01:00:00.5+02:00',
          // An unescaped plus sign arrives as a space.
          endDate: '2026-03-29T12:00:00 02:00',
        },
        'America/New_York',
      ),
    ).toEqual(['2026-03-28T23:00:00.500Z', '2026-03-29T10:00:00.000Z']);
    expect(
      parse({ startDate: '2026-07-01T08:00' }, 'America/New_York')[0],
    ).toBe('2026-07-01T12:00:00.000Z');
  });

  it.each([
    ['yesterday'],
    [''],
    ['2026-02-30'],
    ['2026-13-01'],
    ['2026-W12'],
    ['20260101'],
    ['2026-01-01T25:00:00Z'],
    ['2026-01-01T'],
    ['1767225600000'],
  ])('refuses %j, naming the parameter', text => {
    expect(() => parse({ startDate: text })).toThrow(/^startDate: must be/);
    expect(() => parse({ endDate: text })).toThrow(/^endDate: must be/);
  });

  it('rejects a start after its end, and accepts equal ones', () => {
    expect(() =>
      parse({ startDate: '2026-05-02', endDate: '2026-05-01' }),
    ).toThrow('startDate: must not be after endDate');
    expect(() => parse({ startDate: '2027-01-01' })).toThrow(/^startDate/);
    const moment = '2026-05-01T00:00:00.000Z';
    expect(parse({ startDate: moment, endDate: moment })).toEqual([
      moment,
      moment,
    ]);
  });
});

it('compares with an equally long period directly before', () => {
  expect(previousPeriod({ start: 1_000, end: 1_250 })).toEqual({
    start: 750,
    end: 1_000,
  });
});

it.each([
  ['2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', '2026-03-29', '2026-03-29'],
  [
    '2026-03-28T23:00:00Z',
    '2026-03-29T22:00:00.001Z',
    '2026-03-29',
    '2026-03-30',
  ],
  ['2026-03-28T23:00:00Z', '2026-03-28T23:00:00Z', '2026-03-29', '2026-03-29'],
])('gives %s to %s as %s to %s', (start, end, startDate, endDate) => {
  const period = { start: Date.parse(start), end: Date.parse(end) };
  expect(toDoraPeriod(period, 'Europe/Berlin')).toEqual({ startDate, endDate });
});
