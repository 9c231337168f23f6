import { useApi } from '@backstage/frontend-plugin-api';
import type {
  WorkspaceLogs,
  WorkspaceStatus,
} from '@slipway/plugin-ide-launcher-common';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ideLauncherApiRef } from '../api/IdeLauncherApi';
import { queryKeys } from './queryKeys';
import { refreshInterval } from './refreshInterval';
import { useSignalsAvailable } from './useLiveUpdates';

/** More would slow the page down; who needs the whole log has it in the workspace. */
const MAX_LINES = 2_000;

/** The log of a workspace: each read appends what is new since the last one. */
export function useWorkspaceLog(options: {
  workspaceId: string;
  status: WorkspaceStatus;
}) {
  const { workspaceId, status } = options;
  const api = useApi(ideLauncherApiRef);
  const client = useQueryClient();
  const signalsAvailable = useSignalsAvailable();
  const queryKey = queryKeys.log(workspaceId);
  return useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<WorkspaceLogs> => {
      const known = client.getQueryData<WorkspaceLogs>(queryKey);
      let next = known?.next ?? 0;
      let lines = known?.lines ?? [];
      // The back end answers in pages; an empty one says that this was all.
      for (;;) {
        const read = await api.getLogs(workspaceId, { after: next, signal });
        if (read.lines.length === 0) {
          return { lines, next };
        }
        lines = [...lines, ...read.lines].slice(-MAX_LINES);
        next = read.next;
      }
    },
    refetchInterval: refreshInterval({ statuses: [status], signalsAvailable }),
  });
}
