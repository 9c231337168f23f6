import { useMemo } from 'react';
import { useUrlFilters } from '@slipway/design-system';
import type { EventsQuery } from '../../api/types';
import { splitColumns } from './splitColumns';

/** Periods to choose from, as the service names them. */
export const PERIODS = ['-1h', '-24h', '-7d', '-30d', 'all'] as const;

const DEFAULTS = {
  event: '',
  columns: 'event, count(), count(distinct distinct_id)',
  where: '',
  period: '-7d',
};

/** The question that the URL holds, so that it can be kept and shared. */
export function useQueryForm() {
  const filters = useUrlFilters(DEFAULTS);
  const { event, columns, where, period } = filters.values;
  const query = useMemo<EventsQuery>(
    () => ({
      select: splitColumns(columns),
      after: period,
      ...(event && { event }),
      ...(where.trim() && { where: [where] }),
    }),
    [event, columns, where, period],
  );
  return { filters, query };
}
