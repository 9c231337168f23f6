import { createApiRef } from '@backstage/frontend-plugin-api';
import { ResponseError } from '@backstage/errors';
import { QueryClient } from '@tanstack/react-query';

/**
 * The plugin's one query cache, an API of the app so that pages, cards and
 * the command share it while two apps (or two tests) do not.
 */
export const buildsQueryClientApiRef = createApiRef<QueryClient>().with({
  id: 'plugin.builds.query-client',
  pluginId: 'builds',
});

/** A query cache that retries what may pass by itself, and nothing that the reader has to change. */
export function createBuildsQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (failures, error) => failures < 2 && isTransient(error),
      },
    },
  });
}

function isTransient(error: unknown): boolean {
  if (error instanceof ResponseError) {
    return [502, 503, 504].includes(error.response.status);
  }
  // What fetch throws when no answer came.
  return error instanceof TypeError;
}
