import { openRouteRef, rootRouteRef, workspaceRouteRef } from '../routes';

/** The addresses of the plugin's pages, for tests of parts that link to them. */
export const MOUNTED_ROUTES = {
  '/workspaces': rootRouteRef,
  '/workspaces/:workspaceId': workspaceRouteRef,
  '/workspaces/:workspaceId/open': openRouteRef,
};
