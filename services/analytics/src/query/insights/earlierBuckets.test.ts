import { UTC } from '../time/zones.ts';
import { bucketsBetween, wholeBetween } from './buckets.ts';
import { earlierBuckets } from './earlierBuckets.ts';

const ends = ({ starts, end }: { starts: readonly number[]; end: number }) =>
  [starts[0], end].map(at => new Date(at).toISOString().slice(0, 13));

describe('earlierBuckets', () => {
  const from = Date.parse('2028-01-01T00:00:00Z');
  const to = Date.parse('2028-11-21T10:20:00Z');

  it.each(
    (['hour', 'day', 'week', 'month'] as const).flatMap(unit =>
      [
        {},
        { compareFilter: { compare_to: '-1y' } },
        { compareFilter: { compare_to: '-3m' } },
        { dateRange: { date_from: 'yStart' } },
        { dateRange: { date_from: '-330d' } },
      ].map(query => ({ unit, query })),
    ),
  )(
    'are as long for a total as over time: by $unit for $query',
    ({ unit, query }) => {
      const asked = {
        kind: 'TrendsQuery' as const,
        dateRange: { date_from: '2028-01-01', date_to: '2028-11-21' },
        ...query,
      };
      // There may be at most a thousand buckets, so periods in hours must be short.
      const start = unit === 'hour' ? to - 40 * 86_400_000 : from;
      const options = { unit, calendar: UTC };
      const drawn = earlierBuckets(bucketsBetween(start, to, options), asked);
      const total = earlierBuckets(wholeBetween(start, to, options), asked);
      expect(total.starts).toHaveLength(1);
      expect(ends(total)).toEqual(ends(drawn));
    },
  );

  it.each([
    ['mStart', '2026-03-01', '2026-03-31', ['2026-02-01', '2026-03-01'], 28],
    ['mStart', '2026-03-01', '2026-03-28', ['2026-02-01', '2026-03-01'], 28],
    ['mStart', '2026-03-01', '2026-03-27', ['2026-02-01', '2026-02-28'], 27],
    ['qStart', '2026-04-01', '2026-06-30', ['2026-01-01', '2026-04-01'], 90],
    ['yStart', '2028-01-01', '2028-12-31', ['2027-01-01', '2028-01-01'], 365],
    // The last seven days touch eight dates.
    ['-7d', '2026-03-24', '2026-03-31', ['2026-03-17', '2026-03-25'], 8],
  ])(
    'of %s end before its own: from %s until %s',
    (asked, first, last, days, count) => {
      const query = {
        kind: 'TrendsQuery' as const,
        dateRange: { date_from: asked },
      };
      const [start, end] = [`${first}T00:00:00Z`, `${last}T10:20:00Z`].map(
        Date.parse,
      );
      const options = { unit: 'day' as const, calendar: UTC };
      for (const buckets of [bucketsBetween, wholeBetween]) {
        const before = earlierBuckets(buckets(start, end, options), query);
        expect(ends(before)).toEqual(days.map(day => `${day}T00`));
      }
      expect(
        earlierBuckets(bucketsBetween(start, end, options), query).starts,
      ).toHaveLength(count);
    },
  );
});
