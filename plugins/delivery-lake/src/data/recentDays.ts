import { resolvePeriod, todayIn } from '@slipway/design-system';

/**
 * The last 30 days for a card, which knows no time zone: only their beginning,
 * for the back end ends them with its own today.
 */
export function recentDays(now = Date.now()): { startDate: string } {
  return { startDate: resolvePeriod('', todayIn('UTC', now)).startDate };
}
