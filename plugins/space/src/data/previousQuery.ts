import { daysIn } from '@slipway/design-system';
import type { SpaceQuery } from '../api/SpaceApi';

const DAY_MS = 86_400_000;

/** The same of the period of equal length straight before. */
export function previousQuery(query: SpaceQuery): SpaceQuery {
  const days = daysIn(query);
  const before = (date: string) =>
    new Date(Date.parse(`${date}T00:00:00Z`) - days * DAY_MS)
      .toISOString()
      .slice(0, 10);
  return {
    ...query,
    startDate: before(query.startDate),
    endDate: before(query.endDate),
  };
}
