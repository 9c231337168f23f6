import {
  createRouteRef,
  createSubRouteRef,
} from '@backstage/frontend-plugin-api';

/** The page of the plugin; its first tab is the overview of a team and a period. */
export const rootRouteRef = createRouteRef();

/** What costs a team time. */
export const frictionRouteRef = createRouteRef();

/** One category of friction beside the list. */
export const frictionCategoryRouteRef = createSubRouteRef({
  parent: frictionRouteRef,
  path: '/:category',
});

/** The pulse survey, to answer. */
export const pulseRouteRef = createRouteRef();

/** The assessment of cognitive load, to fill in. */
export const loadRouteRef = createRouteRef();

/** What is stored about the reader. */
export const mineRouteRef = createRouteRef();
