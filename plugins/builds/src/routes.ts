import { createRouteRef } from '@backstage/frontend-plugin-api';

/** The page of the plugin; its first tab lists the jobs. */
export const rootRouteRef = createRouteRef();

/** One job with its history. */
export const jobRouteRef = createRouteRef({ params: ['job'] });

/** One build with its log. */
export const buildRouteRef = createRouteRef({ params: ['job', 'number'] });
