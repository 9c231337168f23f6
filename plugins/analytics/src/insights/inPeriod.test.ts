import type { InsightQuery } from '../api/InsightQuery';
import { inPeriod } from './inPeriod';

const trend: InsightQuery = {
  kind: 'TrendsQuery',
  interval: 'hour',
  dateRange: { date_from: '2026-11-01', date_to: '2026-11-05' },
};
const sql = (query: string): InsightQuery => ({ kind: 'HogQLQuery', query });
const filtered = 'SELECT count() FROM events WHERE { filters }';

it.each([
  ['a trend', trend, { dateRange: { date_from: '-90d' }, interval: 'day' }],
  ['a table', { kind: 'EventsQuery', after: '-1d' }, { after: '-90d' }],
  [
    'HogQL with filters',
    sql(filtered),
    { filters: { dateRange: { date_from: '-90d' } } },
  ],
])('changes the period of %s', (_, query, expected) => {
  const changed = inPeriod(query, '-90d');
  expect(changed).toEqual({ ...query, ...expected });
});

it.each([
  ['for no period', trend, ''],
  ['of retention', { kind: 'RetentionQuery' }, '-7d'],
  ['of HogQL without filters', sql('SELECT count() FROM events'), '-7d'],
])('keeps a query %s', (_, query, period) => {
  expect(inPeriod(query, period)).toBe(query);
});
