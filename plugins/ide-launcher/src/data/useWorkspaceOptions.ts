import { useApi } from '@backstage/frontend-plugin-api';
import { useQuery } from '@tanstack/react-query';
import { ideLauncherApiRef } from '../api/IdeLauncherApi';
import { queryKeys } from './queryKeys';

const WHILE_INSTALLING_MS = 2_000;

/** Samples, limits and defaults; read again while the editor is being installed. */
export function useWorkspaceOptions() {
  const api = useApi(ideLauncherApiRef);
  return useQuery({
    queryKey: queryKeys.options,
    queryFn: ({ signal }) => api.getOptions({ signal }),
    refetchInterval: query =>
      query.state.data?.runtime.editor.state === 'installing'
        ? WHILE_INSTALLING_MS
        : false,
  });
}
