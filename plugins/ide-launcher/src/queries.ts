import { useEffect } from 'react';
import {
  useApi,
  useApiHolder,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { usePermission } from '@backstage/plugin-permission-react';
import { signalApiRef } from '@backstage/plugin-signals-react';
import {
  isMissing,
  pagesOfService,
  reloadAll,
  useServiceQuery,
} from '@slipway/app-react';
import {
  type CreateWorkspaceRequest,
  isolationAcceptPermission,
  WORKSPACE_SIGNAL_CHANNEL,
  workspaceCreatePermission,
  workspaceDeletePermission,
  type WorkspaceDetails,
  type WorkspaceList,
  type WorkspaceLogs,
  type WorkspaceStatus,
  workspaceUpdatePermission,
} from '@slipway/plugin-ide-launcher-common';
import {
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { ideLauncherApiRef } from './api/IdeLauncherApi';
import { ideLauncherTranslationRef } from './translation';

/** Wraps this plugin's pages, cards and dialogs: provides their query cache and live updates. */
export const servicePages = pagesOfService(() => {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  return {
    name: t('service.name'),
    data: t('service.data'),
    access: t('service.access'),
  };
}, useLiveUpdates);

/** The keys of the query cache. */
export const queryKeys = {
  list: ['list'] as const,
  workspace: (workspaceId: string) => ['workspace', workspaceId] as const,
  log: (workspaceId: string) => ['log', workspaceId] as const,
  options: ['options'] as const,
  preview: (address: string, revision: string) =>
    ['preview', address, revision] as const,
};

/**
 * Time for which a response counts as fresh, in milliseconds; short, because workspaces also change
 * without an action of the user.
 */
const STALE_MS = 1_000;

/** Polling intervals in milliseconds. */
const WHILE_CHANGING_MS = 1_500;
const WITHOUT_SIGNALS_MS = 5_000;
const WITH_SIGNALS_MS = 30_000;
const WHILE_INSTALLING_MS = 2_000;

/** Maximum number of log lines shown, because more would slow down the page. */
const MAX_LINES = 2_000;

/** Returns whether a workspace in this state will soon change on its own. */
export function isChanging(status: WorkspaceStatus): boolean {
  return status === 'Starting' || status === 'Stopping';
}

/**
 * Returns a function with the polling interval for workspaces of given states.
 *
 * Signals report changes immediately, but may be unavailable or lost with their socket, so
 * everything is also polled: more often while a workspace is changing, which is when users are
 * watching.
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
  const refreshInterval = useRefreshInterval();
  return useServiceQuery(
    ideLauncherApiRef,
    queryKeys.list,
    (api, call) => api.listWorkspaces(call),
    {
      staleTime: STALE_MS,
      refetchInterval: ({ state }) =>
        refreshInterval(state.data?.workspaces.map(w => w.status) ?? []),
    },
  );
}

/** Reads one workspace with all fields and keeps it up to date until it is gone. */
export function useWorkspace(workspaceId: string) {
  const refreshInterval = useRefreshInterval();
  return useServiceQuery(
    ideLauncherApiRef,
    queryKeys.workspace(workspaceId),
    (api, call) => api.getWorkspace(workspaceId, call),
    {
      staleTime: STALE_MS,
      refetchInterval: ({ state: { data, error } }) => {
        if (isMissing(error)) {
          return false;
        }
        const interval = refreshInterval(data ? [data.status] : []);
        // No signal reports that something listens on an endpoint.
        return data?.status === 'Running' && data.endpoints.length > 0
          ? Math.min(interval, WITHOUT_SIGNALS_MS)
          : interval;
      },
    },
  );
}

/** Reads the log of a workspace; each request appends the lines added since the last one. */
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
      // The backend returns the log in pages, of which an empty one is the last.
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

/** Reads samples, limits and defaults; polls while the editor is being installed. */
export function useWorkspaceOptions() {
  return useServiceQuery(
    ideLauncherApiRef,
    queryKeys.options,
    (api, call) => api.getOptions(call),
    {
      staleTime: STALE_MS,
      refetchInterval: ({ state }) =>
        state.data?.runtime.editor.state === 'installing'
          ? WHILE_INSTALLING_MS
          : false,
    },
  );
}

/** Delay before new log lines are read: they arrive in bursts, and one request per burst is enough. */
const LOG_READ_DELAY_MS = 250;

/**
 * Refreshes data when a signal reports a change.
 *
 * Subscribes to the API directly: `useSignal` keeps only the last message per render, and would
 * miss one of two workspaces that change at the same time.
 */
function useLiveUpdates(): void {
  const signals = useApiHolder().get(signalApiRef);
  const client = useQueryClient();
  useEffect(() => {
    if (!signals) {
      return undefined;
    }
    const logReads = new Map<string, ReturnType<typeof setTimeout>>();
    const readLog = (workspaceId: string) => {
      logReads.delete(workspaceId);
      client.invalidateQueries({ queryKey: queryKeys.log(workspaceId) });
    };
    const subscription = signals.subscribe(
      WORKSPACE_SIGNAL_CHANNEL,
      message => {
        const { type, workspaceId: id } = message;
        if (typeof id !== 'string') {
          return;
        }
        if (type !== 'log') {
          readWorkspace(client, id);
        } else if (!logReads.has(id)) {
          logReads.set(id, setTimeout(readLog, LOG_READ_DELAY_MS, id));
        }
      },
    );
    return () => {
      subscription.unsubscribe();
      logReads.forEach(clearTimeout);
    };
  }, [signals, client]);
}

/** Invalidates a workspace, the list and the usage; visible data is refetched immediately. */
function readWorkspace(client: QueryClient, workspaceId: string): void {
  client.invalidateQueries({ queryKey: queryKeys.list });
  client.invalidateQueries({ queryKey: queryKeys.workspace(workspaceId) });
  client.invalidateQueries({ queryKey: queryKeys.options });
}

/**
 * Returns the mutations of workspaces: start, stop, restart, extend, delete and create. Each of them
 * refreshes the visible data, including the data of other plugins.
 */
export function useWorkspaceActions() {
  const api = useApi(ideLauncherApiRef);
  const app = useApiHolder();
  const client = useQueryClient();
  /** Shows a changed workspace, or null for a deleted one, before the data is loaded again. */
  const show = (workspaceId: string, workspace: WorkspaceDetails | null) => {
    if (workspace) {
      client.setQueryData(queryKeys.workspace(workspaceId), workspace);
    } else {
      client.removeQueries({ queryKey: queryKeys.log(workspaceId) });
    }
    client.setQueryData<WorkspaceList>(
      queryKeys.list,
      list =>
        list && {
          workspaces: list.workspaces.flatMap(other =>
            other.workspaceId === workspaceId ? (workspace ?? []) : other,
          ),
          total: list.total - (workspace ? 0 : 1),
        },
    );
    client.invalidateQueries({ queryKey: queryKeys.list });
    client.invalidateQueries({ queryKey: queryKeys.options });
    reloadAll(app, client);
  };
  const change = (
    mutationFn: (workspaceId: string) => Promise<WorkspaceDetails>,
  ) => ({
    mutationFn,
    onSuccess: (workspace: WorkspaceDetails) =>
      show(workspace.workspaceId, workspace),
    // A rejected change means that the displayed state is outdated, so load it again.
    onError: (_error: Error, workspaceId: string) =>
      readWorkspace(client, workspaceId),
  });
  return {
    start: useMutation(change(id => api.startWorkspace(id))),
    startUpdated: useMutation(
      change(id => api.updateDevfile(id).then(() => api.startWorkspace(id))),
    ),
    stop: useMutation(change(id => api.stopWorkspace(id))),
    restart: useMutation(
      // The backend starts the workspace once it has stopped.
      change(id => api.stopWorkspace(id).then(() => api.startWorkspace(id))),
    ),
    extend: useMutation(change(id => api.extendWorkspace(id))),
    remove: useMutation({
      mutationFn: (id: string) => api.deleteWorkspace(id),
      onSuccess: (_nothing, id) => show(id, null),
    }),
    create: useMutation({
      mutationFn: (request: CreateWorkspaceRequest) =>
        api.createWorkspace(request),
      onSuccess({ workspaceId }) {
        readWorkspace(client, workspaceId);
        reloadAll(app, client);
      },
    }),
  };
}

/** Returns the signed-in user's permissions on workspaces; none until they are loaded. */
export function useWorkspacePermissions() {
  const create = usePermission({ permission: workspaceCreatePermission });
  const update = usePermission({ permission: workspaceUpdatePermission });
  const remove = usePermission({ permission: workspaceDeletePermission });
  const accept = usePermission({ permission: isolationAcceptPermission });
  return {
    isPending: create.loading || update.loading || remove.loading,
    mayCreate: create.allowed,
    mayUpdate: update.allowed,
    mayDelete: remove.allowed,
    mayAcceptUnisolated: accept.allowed,
  };
}
