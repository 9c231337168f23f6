import { createRouteRef } from '@backstage/frontend-plugin-api';

/** The page of the plugin; its first tab lists the workspaces. */
export const rootRouteRef = createRouteRef();

/** One workspace. */
export const workspaceRouteRef = createRouteRef({ params: ['workspaceId'] });

/** Opens the IDE of a workspace: waits until it runs, then leaves the portal. */
export const openRouteRef = createRouteRef({ params: ['workspaceId'] });
