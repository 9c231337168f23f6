import {
  createRouteRef,
  createSubRouteRef,
} from '@backstage/frontend-plugin-api';

/** The list of flags. */
export const rootRouteRef = createRouteRef();

/** One flag. */
export const flagRouteRef = createSubRouteRef({
  parent: rootRouteRef,
  path: '/flag/:name',
});

/** Tokens of SDKs, and how to connect one. */
export const accessRouteRef = createSubRouteRef({
  parent: rootRouteRef,
  path: '/api-access',
});
