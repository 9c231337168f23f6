import { createRouteRef } from '@backstage/frontend-plugin-api';

/** Events as they arrive; questions about them and settings are tabs below it. */
export const rootRouteRef = createRouteRef();
