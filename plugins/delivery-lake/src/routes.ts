import {
  createRouteRef,
  createSubRouteRef,
} from '@backstage/frontend-plugin-api';

/** Overview: metrics of a scope and a period. */
export const rootRouteRef = createRouteRef();

/** The deployments of a scope and a period. */
export const deploymentsRouteRef = createSubRouteRef({
  parent: rootRouteRef,
  path: '/deployments',
});

/** One deployment beside the list. */
export const deploymentRouteRef = createSubRouteRef({
  parent: rootRouteRef,
  path: '/deployments/:deploymentId',
});

/** The incidents of a scope and a period. */
export const incidentsRouteRef = createSubRouteRef({
  parent: rootRouteRef,
  path: '/incidents',
});

/** What the lake took in and could not place. */
export const unmatchedRouteRef = createSubRouteRef({
  parent: rootRouteRef,
  path: '/unmatched',
});
