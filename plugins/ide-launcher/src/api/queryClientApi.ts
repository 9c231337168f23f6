import { createApiRef } from '@backstage/frontend-plugin-api';
import { QueryClient } from '@tanstack/react-query';
import { IdeLauncherError } from './IdeLauncherError';

/**
 * The plugin's one query cache. It is an API of the app rather than a module's variable, so that
 * page, entity card and home card share it while two apps (or two tests) do not.
 */
export const workspaceQueryClientApiRef = createApiRef<QueryClient>().with({
  id: 'plugin.ide-launcher.query-client',
  pluginId: 'ide-launcher',
});

/** A query cache that retries what may pass by itself, and nothing that the caller has to change. */
export function createWorkspaceQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 1_000,
        retry: (failures, error) => failures < 2 && isTransient(error),
      },
    },
  });
}

function isTransient(error: unknown): boolean {
  return (
    error instanceof IdeLauncherError &&
    (error.kind === 'offline' || error.kind === 'unavailable')
  );
}
