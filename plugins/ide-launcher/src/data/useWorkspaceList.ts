import { useApi } from '@backstage/frontend-plugin-api';
import { useQuery } from '@tanstack/react-query';
import { ideLauncherApiRef } from '../api/IdeLauncherApi';
import { queryKeys } from './queryKeys';
import { refreshInterval } from './refreshInterval';
import { useSignalsAvailable } from './useLiveUpdates';

/** All of the caller's workspaces, kept up to date. */
export function useWorkspaceList() {
  const api = useApi(ideLauncherApiRef);
  const signalsAvailable = useSignalsAvailable();
  return useQuery({
    queryKey: queryKeys.list,
    queryFn: ({ signal }) => api.listWorkspaces({ signal }),
    refetchInterval: query =>
      refreshInterval({
        statuses: query.state.data?.workspaces.map(w => w.status) ?? [],
        signalsAvailable,
      }),
  });
}
