import { createRouteRef } from '@backstage/frontend-plugin-api';

/** The main page of the plugin; its first tab lists the workspaces. */
export const rootRouteRef = createRouteRef();

/** One workspace. */
export const workspaceRouteRef = createRouteRef({ params: ['workspaceId'] });

/** Opens the IDE of a workspace: waits until it is running, then leaves the portal. */
export const openRouteRef = createRouteRef({ params: ['workspaceId'] });
