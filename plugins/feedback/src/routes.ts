import {
  createRouteRef,
  createSubRouteRef,
} from '@backstage/frontend-plugin-api';

/** What the reader sent, and what became of it. */
export const rootRouteRef = createRouteRef();

/** One piece of it beside the list. */
export const mineRouteRef = createSubRouteRef({
  parent: rootRouteRef,
  path: '/mine/:id',
});

/** All feedback, for who triages. */
export const triageRouteRef = createSubRouteRef({
  parent: rootRouteRef,
  path: '/triage',
});

/** One piece of it beside the list. */
export const triageItemRouteRef = createSubRouteRef({
  parent: rootRouteRef,
  path: '/triage/:id',
});

/** Feedback in numbers. */
export const statisticsRouteRef = createSubRouteRef({
  parent: rootRouteRef,
  path: '/statistics',
});

/** An issue of the embedded tracker. */
export const issueRouteRef = createSubRouteRef({
  parent: rootRouteRef,
  path: '/issues/:number',
});
