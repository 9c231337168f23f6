import {
  createRouteRef,
  createSubRouteRef,
} from '@backstage/frontend-plugin-api';

/** Overview: the five dimensions of a team and a period. */
export const rootRouteRef = createRouteRef();

/** What costs a team time. */
export const frictionRouteRef = createSubRouteRef({
  parent: rootRouteRef,
  path: '/friction',
});

/** One category of friction beside the list. */
export const frictionCategoryRouteRef = createSubRouteRef({
  parent: rootRouteRef,
  path: '/friction/:category',
});

/** The pulse survey, to answer. */
export const pulseRouteRef = createSubRouteRef({
  parent: rootRouteRef,
  path: '/pulse',
});

/** The assessment of cognitive load, to fill in. */
export const loadRouteRef = createSubRouteRef({
  parent: rootRouteRef,
  path: '/task-load',
});

/** What is stored of the reader. */
export const mineRouteRef = createSubRouteRef({
  parent: rootRouteRef,
  path: '/your-data',
});
