import { useMemo } from 'react';
import { useUrlFilters } from '@slipway/design-system';
import { ENVIRONMENTS } from '@slipway/plugin-delivery-lake-common';
import type { IncidentsQuery } from '../../api/DeliveryLakeApi';
import { useView } from '../../data/useView';
import { parseFlag } from '../parseFlag';

/** The filters of the list of incidents, as the URL has them. */
export function useIncidentFilters() {
  const view = useView();
  const filters = useUrlFilters({
    scope: '',
    period: '',
    environment: '',
    open: '',
    q: '',
  });
  const { environment, open, q } = filters.values;
  const query = useMemo(
    (): IncidentsQuery => ({
      ...view.query,
      environment: ENVIRONMENTS.find(known => known === environment),
      open: parseFlag(open),
      q: q || undefined,
    }),
    [view.query, environment, open, q],
  );
  return { view, filters, query };
}
