import {
  createRouteRef,
  createSubRouteRef,
} from '@backstage/frontend-plugin-api';

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
