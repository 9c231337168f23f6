import {
  createRouteRef,
  createSubRouteRef,
} from '@backstage/frontend-plugin-api';

/** The list of workspaces. */
export const rootRouteRef = createRouteRef();

/** One workspace. */
export const workspaceRouteRef = createSubRouteRef({
  parent: rootRouteRef,
  path: '/:workspaceId',
});

/** Opens the IDE of a workspace: waits until it runs, then leaves the portal. */
export const openRouteRef = createSubRouteRef({
  parent: rootRouteRef,
  path: '/:workspaceId/open',
});
