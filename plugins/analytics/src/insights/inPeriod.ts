import { type InsightQuery, isHogql, isTable } from '../api/InsightQuery';
import { takesFilters } from '../sql/sqlText';

/** The periods that a dashboard offers in place of those of its insights. */
export const DASHBOARD_PERIODS = ['-7d', '-30d', '-90d'] as const;

/**
 * Returns a query with a different period, which ends now. Hourly intervals become daily ones if the
 * period would contain too many hours.
 *
 * @param period - relative to now, such as `-30d`; empty to keep the query's own.
 * @returns the same object if its period cannot be changed: retention has a number of intervals
 *   instead, and HogQL has a period only if it contains `{filters}`.
 */
export function inPeriod(query: InsightQuery, period: string): InsightQuery {
  if (period === '' || query.kind === 'RetentionQuery') {
    return query;
  }
  const dateRange = { date_from: period };
  if (isHogql(query)) {
    return takesFilters(query.query)
      ? { ...query, filters: { ...query.filters, dateRange } }
      : query;
  }
  if (isTable(query)) {
    const table = { ...query, after: period, before: undefined };
    return table;
  }
  return {
    ...query,
    dateRange,
    ...(query.interval === 'hour' && period === '-90d' && { interval: 'day' }),
  };
}
