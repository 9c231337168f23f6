import { useMemo } from 'react';
import {
  type DayRange,
  daysIn,
  resolvePeriod,
  todayIn,
  useUrlFilters,
} from '@slipway/design-system';
import type { SpaceQuery } from '../api/SpaceApi';
import type { Granularity } from '../api/types';

const GRANULARITIES: readonly Granularity[] = ['daily', 'weekly', 'monthly'];

/** What a page shows, as its URL says. */
export interface View {
  filters: ReturnType<typeof useUrlFilters<'team' | 'period'>>;
  period: DayRange;
  /** Length of the period. */
  days: number;
  granularity: Granularity;
  setGranularity(granularity: Granularity): void;
  /** Team and period as parameters of a request. */
  query: SpaceQuery;
}

/** Today's date on the reader's wall. */
export function today(): string {
  return todayIn(new Intl.DateTimeFormat().resolvedOptions().timeZone);
}

/** Team, period and granularity of the URL, which all pages share. */
export function useView(): View {
  const filters = useUrlFilters({ team: '', period: '' });
  const series = useUrlFilters({ granularity: '' });
  const { team, period: periodText } = filters.values;
  const date = today();
  const query = useMemo(() => {
    const period = resolvePeriod(periodText, date);
    return { ...(team && { team }), ...period };
  }, [team, periodText, date]);
  const { startDate, endDate } = query;
  return {
    filters,
    period: { startDate, endDate },
    days: daysIn(query),
    granularity:
      GRANULARITIES.find(known => known === series.values.granularity) ??
      'weekly',
    setGranularity: granularity =>
      series.set('granularity', granularity === 'weekly' ? '' : granularity),
    query,
  };
}
