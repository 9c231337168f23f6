import { createRouteRef } from '@backstage/frontend-plugin-api';

/** The page of the plugin; its first tab lists the flags. */
export const rootRouteRef = createRouteRef();

/** One flag. */
export const flagRouteRef = createRouteRef({ params: ['name'] });

/** The tokens of SDKs, and how to connect one. */
export const accessRouteRef = createRouteRef();
