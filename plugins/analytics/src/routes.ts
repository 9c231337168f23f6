import { createRouteRef } from '@backstage/frontend-plugin-api';

/** The live events; the other pages are tabs below this route. */
export const rootRouteRef = createRouteRef();
