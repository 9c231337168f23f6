import { useMemo } from 'react';
import {
  createRouteRef,
  createSubRouteRef,
  useRouteRef,
} from '@backstage/frontend-plugin-api';
import { type DayRange, formatRange } from '@slipway/design-system';
import { formatScope, type Scope } from './scope';

/** The overview: metrics of a scope and a period. */
export const rootRouteRef = createRouteRef();

/** The deployments of a scope and a period. */
export const deploymentsRouteRef = createRouteRef();

/** One deployment next to the list. */
export const deploymentRouteRef = createSubRouteRef({
  parent: deploymentsRouteRef,
  path: '/:deploymentId',
});

/** The incidents of a scope and a period. */
export const incidentsRouteRef = createRouteRef();

/** One incident next to the list. */
export const incidentRouteRef = createSubRouteRef({
  parent: incidentsRouteRef,
  path: '/:incidentId',
});

/** The connected repositories, for admins. */
export const connectionsRouteRef = createRouteRef();

/** One connection next to the list. */
export const connectionRouteRef = createSubRouteRef({
  parent: connectionsRouteRef,
  path: '/:connectionId',
});

/** Data that the lake received but could not match. */
export const unmatchedRouteRef = createRouteRef();

/** The filters of a link to the plugin's pages. */
interface LinkFilters {
  scope?: Scope;
  /** A range of days, or a period in the format of the URL. */
  period?: DayRange | string;
  environment?: string;
  failed?: boolean;
}

/** Formats filters as a query string, including the question mark. */
export function searchOf(filters: LinkFilters): string {
  const { scope, period, environment, failed } = filters;
  const parameters = new URLSearchParams();
  const values = {
    scope: formatScope(scope),
    period: typeof period === 'object' ? formatRange(period) : period,
    environment,
    failed: failed?.toString(),
  };
  for (const [key, value] of Object.entries(values)) {
    if (value) {
      parameters.set(key, value);
    }
  }
  const text = parameters.toString();
  return text && `?${text}`;
}

/** Returns the URLs of the plugin's pages in this app. */
export function useLinks() {
  const overview = useRouteRef(rootRouteRef)?.() ?? '';
  const deployments = useRouteRef(deploymentsRouteRef)?.() ?? '';
  const deployment = useRouteRef(deploymentRouteRef);
  const incidents = useRouteRef(incidentsRouteRef)?.() ?? '';
  const incident = useRouteRef(incidentRouteRef);
  const unmatched = useRouteRef(unmatchedRouteRef)?.() ?? '';
  const connections = useRouteRef(connectionsRouteRef)?.() ?? '';
  const connection = useRouteRef(connectionRouteRef);
  return useMemo(
    () => ({
      overview: (filters: LinkFilters = {}) => overview + searchOf(filters),
      deployments: (filters: LinkFilters = {}) =>
        deployments + searchOf(filters),
      deployment: (deploymentId: string, filters: LinkFilters = {}) =>
        (deployment?.({ deploymentId }) ?? '') + searchOf(filters),
      incidents: (filters: LinkFilters = {}) => incidents + searchOf(filters),
      incident: (incidentId: string, filters: LinkFilters = {}) =>
        (incident?.({ incidentId }) ?? '') + searchOf(filters),
      connections: () => connections,
      connection: (connectionId: string) =>
        connection?.({ connectionId }) ?? '',
      unmatched: (filters: LinkFilters = {}) => unmatched + searchOf(filters),
    }),
    [
      overview,
      deployments,
      deployment,
      incidents,
      incident,
      unmatched,
      connections,
      connection,
    ],
  );
}
