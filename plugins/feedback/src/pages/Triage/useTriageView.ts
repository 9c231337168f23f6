import { useMemo } from 'react';
import {
  type DayRange,
  resolvePeriod,
  todayIn,
  useUrlFilters,
} from '@slipway/design-system';
import type { TriageFilter } from '../../api/types';

const DEFAULTS = {
  status: '',
  category: '',
  rating: '',
  sentiment: '',
  q: '',
  period: '',
  page: '',
};

/** Today's date on the reader's wall. */
export function today(): string {
  return todayIn(new Intl.DateTimeFormat().resolvedOptions().timeZone);
}

/** What the triage page shows, as its URL says. */
export function useTriageView() {
  const url = useUrlFilters(DEFAULTS);
  const { page, period: periodText, ...narrowing } = url.values;
  const key = JSON.stringify(narrowing);
  const date = today();
  const period: DayRange = resolvePeriod(periodText, date);
  const { startDate, endDate } = period;
  const query = useMemo(
    (): TriageFilter => ({ ...JSON.parse(key), startDate, endDate }),
    [key, startDate, endDate],
  );
  return {
    filters: {
      ...url,
      // Another filter is another list: it begins at its first page.
      set: (name: keyof typeof DEFAULTS, value: string) => {
        url.set(name, value);
        if (name !== 'page' && page) {
          url.set('page', '');
        }
      },
    },
    period,
    query,
    page: Math.max(1, Math.floor(Number(page)) || 1),
    setPage: (next: number) => url.set('page', next === 1 ? '' : String(next)),
  };
}
