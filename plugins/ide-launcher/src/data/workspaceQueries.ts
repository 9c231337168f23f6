import { useApi, useApiHolder } from '@backstage/frontend-plugin-api';
import { signalApiRef } from '@backstage/plugin-signals-react';
import { isMissing } from '@slipway/app-react';
import type {
  WorkspaceLogs,
  WorkspaceStatus,
} from '@slipway/plugin-ide-launcher-common';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ideLauncherApiRef } from '../api/IdeLauncherApi';

/** The keys of the query cache, by what is read. */
export const queryKeys = {
  list: ['list'] as const,
  workspace: (workspaceId: string) => ['workspace', workspaceId] as const,
  log: (workspaceId: string) => ['log', workspaceId] as const,
  options: ['options'] as const,
  preview: (devfileUrl: string) => ['preview', devfileUrl] as const,
};

/** How long an answer counts as new, in milliseconds: workspaces change by themselves. */
const STALE_MS = 1_000;

/** How often to read again, in milliseconds. */
const WHILE_CHANGING_MS = 1_500;
const WITHOUT_SIGNALS_MS = 5_000;
const WITH_SIGNALS_MS = 30_000;
const WHILE_INSTALLING_MS = 2_000;

/** More log lines would slow the page down; the whole log is in the workspace. */
const MAX_LINES = 2_000;

/** Tells whether a workspace in this state will be in another one soon, by itself. */
export function isChanging(status: WorkspaceStatus): boolean {
  return status === 'Starting' || status === 'Stopping';
}

/**
 * Gives the interval in which to read workspaces of these states again.
 *
 * Signals tell of changes at once, but may be missing or lost with their socket, so everything is
 * also read in intervals: short ones while a workspace is between two states, which is when
 * somebody is watching.
 */
function useRefreshInterval(): (
  statuses: readonly WorkspaceStatus[],
) => number {
  const hasSignals = useApiHolder().get(signalApiRef) !== undefined;
  return statuses => {
    if (statuses.some(isChanging)) {
      return WHILE_CHANGING_MS;
    }
    return hasSignals ? WITH_SIGNALS_MS : WITHOUT_SIGNALS_MS;
  };
}

/** Reads all workspaces of the caller and keeps them up to date. */
export function useWorkspaceList() {
  const api = useApi(ideLauncherApiRef);
  const refreshInterval = useRefreshInterval();
  return useQuery({
    queryKey: queryKeys.list,
    queryFn: ({ signal }) => api.listWorkspaces({ signal }),
    staleTime: STALE_MS,
    refetchInterval: ({ state }) =>
      refreshInterval(state.data?.workspaces.map(w => w.status) ?? []),
  });
}

/** Reads one workspace in full and keeps it up to date until it is gone. */
export function useWorkspace(workspaceId: string) {
  const api = useApi(ideLauncherApiRef);
  const refreshInterval = useRefreshInterval();
  return useQuery({
    queryKey: queryKeys.workspace(workspaceId),
    queryFn: ({ signal }) => api.getWorkspace(workspaceId, { signal }),
    staleTime: STALE_MS,
    refetchInterval: ({ state }) =>
      isMissing(state.error)
        ? false
        : refreshInterval(state.data ? [state.data.status] : []),
  });
}

/** Reads the log of a workspace: each read appends what is new since the last one. */
export function useWorkspaceLog(options: {
  workspaceId: string;
  status: WorkspaceStatus;
}) {
  const { workspaceId, status } = options;
  const api = useApi(ideLauncherApiRef);
  const client = useQueryClient();
  const refreshInterval = useRefreshInterval();
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
    staleTime: STALE_MS,
    refetchInterval: refreshInterval([status]),
  });
}

/** Reads samples, limits and defaults, and again while the editor is being installed. */
export function useWorkspaceOptions() {
  const api = useApi(ideLauncherApiRef);
  return useQuery({
    queryKey: queryKeys.options,
    queryFn: ({ signal }) => api.getOptions({ signal }),
    staleTime: STALE_MS,
    refetchInterval: ({ state }) =>
      state.data?.runtime.editor.state === 'installing'
        ? WHILE_INSTALLING_MS
        : false,
  });
}
