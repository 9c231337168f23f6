import {
  createRouteRef,
  createSubRouteRef,
} from '@backstage/frontend-plugin-api';

/** Every job, and what waits. */
export const rootRouteRef = createRouteRef();

/** One job with its history. */
export const jobRouteRef = createSubRouteRef({
  parent: rootRouteRef,
  path: '/:job',
});

/** One build with its log. */
export const buildRouteRef = createSubRouteRef({
  parent: rootRouteRef,
  path: '/:job/:number',
});
