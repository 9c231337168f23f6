import { useApi } from '@backstage/frontend-plugin-api';
import { useQuery } from '@tanstack/react-query';
import { ideLauncherApiRef } from '../api/IdeLauncherApi';
import { IdeLauncherError } from '../api/IdeLauncherError';
import { queryKeys } from './queryKeys';
import { refreshInterval } from './refreshInterval';
import { useSignalsAvailable } from './useLiveUpdates';

/** One workspace in full, kept up to date until it is gone. */
export function useWorkspace(workspaceId: string) {
  const api = useApi(ideLauncherApiRef);
  const signalsAvailable = useSignalsAvailable();
  return useQuery({
    queryKey: queryKeys.workspace(workspaceId),
    queryFn: ({ signal }) => api.getWorkspace(workspaceId, { signal }),
    refetchInterval: query =>
      isGone(query.state.error)
        ? false
        : refreshInterval({
            statuses: query.state.data ? [query.state.data.status] : [],
            signalsAvailable,
          }),
  });
}

/** Whether the workspace does not exist, for this caller. */
export function isGone(error: unknown): boolean {
  return error instanceof IdeLauncherError && error.kind === 'notFound';
}
