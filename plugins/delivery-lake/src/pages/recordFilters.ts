import { useSearchedWords } from '@slipway/app-react';
import { useUrlFilters } from '@slipway/design-system';
import {
  DEPLOYMENT_STATUSES,
  ENVIRONMENTS,
} from '@slipway/plugin-delivery-lake-common';
import type { DeploymentsQuery, IncidentsQuery } from '../api/DeliveryLakeApi';
import { useView } from '../queries';

/** Reads the filters of the list of deployments from the URL. */
export function useDeploymentFilters() {
  const view = useView();
  const filters = useUrlFilters({
    scope: '',
    period: '',
    environment: '',
    status: '',
    failed: '',
    q: '',
  });
  const { environment, status, failed, q } = filters.values;
  const query: DeploymentsQuery = {
    ...view.query,
    environment: ENVIRONMENTS.find(known => known === environment),
    status: DEPLOYMENT_STATUSES.find(known => known === status),
    failed: parseFlag(failed),
    q: useSearchedWords(q) || undefined,
  };
  return { view, filters, query };
}

/** Reads the filters of the list of incidents from the URL. */
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
  const query: IncidentsQuery = {
    ...view.query,
    environment: ENVIRONMENTS.find(known => known === environment),
    open: parseFlag(open),
    q: useSearchedWords(q) || undefined,
  };
  return { view, filters, query };
}

/** Parses `true` or `false`; undefined for anything else. */
function parseFlag(text: string): boolean | undefined {
  if (text === 'true') {
    return true;
  }
  return text === 'false' ? false : undefined;
}
