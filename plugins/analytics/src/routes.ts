import {
  createRouteRef,
  createSubRouteRef,
} from '@backstage/frontend-plugin-api';

/** Events as they arrive. */
export const rootRouteRef = createRouteRef();

/** Questions about events. */
export const queryRouteRef = createSubRouteRef({
  parent: rootRouteRef,
  path: '/query',
});

/** Keys and tokens of a project. */
export const settingsRouteRef = createSubRouteRef({
  parent: rootRouteRef,
  path: '/settings',
});
