import { useMemo } from 'react';
import {
  createRouteRef,
  createSubRouteRef,
  useRouteRef,
} from '@backstage/frontend-plugin-api';
import { type DayRange, formatRange } from '@slipway/design-system';
import type { DeploymentStatus } from '@slipway/plugin-delivery-lake-common';
import { formatScope, type Scope } from './scope';

/** Overview: metrics of a scope and a period. */
export const rootRouteRef = createRouteRef();

/** The deployments of a scope and a period. */
export const deploymentsRouteRef = createRouteRef();

/** One deployment beside the list. */
export const deploymentRouteRef = createSubRouteRef({
  parent: deploymentsRouteRef,
  path: '/:deploymentId',
});

/** The incidents of a scope and a period. */
export const incidentsRouteRef = createRouteRef();

/** What the lake took in and could not place. */
export const unmatchedRouteRef = createRouteRef();

/** What an address of the plugin can be narrowed to. */
interface LinkFilters {
  scope?: Scope;
  /** Days, or what stands for them in the URL already. */
  period?: DayRange | string;
  environment?: string;
  status?: DeploymentStatus;
  failed?: boolean;
  open?: boolean;
  q?: string;
}

/** Writes filters as the query of an address, with its question mark. */
export function searchOf(filters: LinkFilters): string {
  const { scope, period, environment, status, failed, open, q } = filters;
  const parameters = new URLSearchParams();
  const values = {
    scope: formatScope(scope),
    period: typeof period === 'object' ? formatRange(period) : period,
    environment,
    status,
    failed: failed?.toString(),
    open: open?.toString(),
    q,
  };
  for (const [key, value] of Object.entries(values)) {
    if (value) {
      parameters.set(key, value);
    }
  }
  const text = parameters.toString();
  return text && `?${text}`;
}

/** Addresses of the plugin's pages, wherever the app has mounted them. */
export function useDeliveryLinks() {
  const overview = useRouteRef(rootRouteRef)?.() ?? '';
  const deployments = useRouteRef(deploymentsRouteRef)?.() ?? '';
  const deployment = useRouteRef(deploymentRouteRef);
  const incidents = useRouteRef(incidentsRouteRef)?.() ?? '';
  const unmatched = useRouteRef(unmatchedRouteRef)?.() ?? '';
  return useMemo(
    () => ({
      overview: (filters: LinkFilters = {}) => overview + searchOf(filters),
      deployments: (filters: LinkFilters = {}) =>
        deployments + searchOf(filters),
      deployment: (deploymentId: string, filters: LinkFilters = {}) =>
        (deployment?.({ deploymentId }) ?? '') + searchOf(filters),
      incidents: (filters: LinkFilters = {}) => incidents + searchOf(filters),
      unmatched: (filters: LinkFilters = {}) => unmatched + searchOf(filters),
    }),
    [overview, deployments, deployment, incidents, unmatched],
  );
}
