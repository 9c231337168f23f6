import {
  createRouteRef,
  createSubRouteRef,
} from '@backstage/frontend-plugin-api';

/** The page of the plugin; its first tab is what the reader sent. */
export const rootRouteRef = createRouteRef();

/** The tab of what the reader sent, and what became of it. */
export const mineRouteRef = createRouteRef();

/** One piece of it beside the list. */
export const mineItemRouteRef = createSubRouteRef({
  parent: mineRouteRef,
  path: '/:id',
});

/** All feedback, for those who triage. */
export const triageRouteRef = createRouteRef();

/** One piece of it beside the list. */
export const triageItemRouteRef = createSubRouteRef({
  parent: triageRouteRef,
  path: '/:id',
});

/** An issue of the embedded tracker. */
export const issueRouteRef = createRouteRef({ params: ['number'] });
