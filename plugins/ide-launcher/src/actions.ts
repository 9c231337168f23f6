import {
  toastApiRef,
  useApi,
  useApiHolder,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { reloadAll, useErrorWords } from '@slipway/app-react';
import { formatMoment } from '@slipway/design-system';
import type {
  CreateWorkspaceRequest,
  WorkspaceDetails,
  WorkspaceList,
} from '@slipway/plugin-ide-launcher-common';
import {
  QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { ideLauncherApiRef } from './api/IdeLauncherApi';
import { queryKeys, readWorkspace } from './queries';
import { ideLauncherTranslationRef } from './translation';

/**
 * Returns the mutations of workspaces: start, stop, extend, delete and create. Each refreshes the visible
 * data, including that of other plugins.
 */
export function useWorkspaceActions() {
  const api = useApi(ideLauncherApiRef);
  const app = useApiHolder();
  const client = useQueryClient();
  const onSuccess = (workspace: WorkspaceDetails) => {
    showWorkspace(client, workspace);
    reloadAll(app, client);
  };
  // If a change is rejected, the displayed state is outdated, so it is read again.
  const onError = (_error: Error, workspaceId: string) =>
    readWorkspace(client, workspaceId);

  const start = useMutation({
    mutationFn: (workspaceId: string) => api.startWorkspace(workspaceId),
    onSuccess,
    onError,
  });
  const startUpdated = useMutation({
    mutationFn: async (workspaceId: string) => {
      await api.updateDevfile(workspaceId);
      return api.startWorkspace(workspaceId);
    },
    onSuccess,
    onError,
  });
  const stop = useMutation({
    mutationFn: (workspaceId: string) => api.stopWorkspace(workspaceId),
    onSuccess,
    onError,
  });
  const extend = useMutation({
    mutationFn: (workspaceId: string) => api.extendWorkspace(workspaceId),
    onSuccess,
    onError,
  });
  const remove = useMutation({
    mutationFn: (workspaceId: string) => api.deleteWorkspace(workspaceId),
    onSuccess(_nothing, workspaceId) {
      forgetWorkspace(client, workspaceId);
      reloadAll(app, client);
    },
  });
  const create = useMutation({
    mutationFn: (request: CreateWorkspaceRequest) =>
      api.createWorkspace(request),
    onSuccess(workspace) {
      readWorkspace(client, workspace.workspaceId);
      reloadAll(app, client);
    },
  });
  return { start, startUpdated, stop, extend, remove, create };
}

function showWorkspace(client: QueryClient, workspace: WorkspaceDetails): void {
  client.setQueryData(queryKeys.workspace(workspace.workspaceId), workspace);
  client.setQueryData<WorkspaceList>(
    queryKeys.list,
    list =>
      list && {
        ...list,
        workspaces: list.workspaces.map(other =>
          other.workspaceId === workspace.workspaceId ? workspace : other,
        ),
      },
  );
  client.invalidateQueries({ queryKey: queryKeys.list });
  client.invalidateQueries({ queryKey: queryKeys.options });
}

function forgetWorkspace(client: QueryClient, workspaceId: string): void {
  client.setQueryData<WorkspaceList>(
    queryKeys.list,
    list =>
      list && {
        workspaces: list.workspaces.filter(w => w.workspaceId !== workspaceId),
        total: list.total - 1,
      },
  );
  client.removeQueries({ queryKey: queryKeys.log(workspaceId) });
  client.invalidateQueries({ queryKey: queryKeys.list });
  client.invalidateQueries({ queryKey: queryKeys.options });
}

/**
 * Returns start, stop and extend for the buttons of one workspace. Failures appear in a toast that names
 * the workspace, even if the user has left the page with the button.
 */
export function useReportedActions(workspace: {
  workspaceId: string;
  name: string;
}) {
  const { workspaceId, name } = workspace;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const toastApi = useApi(toastApiRef);
  const errorWords = useErrorWords();
  const { start, startUpdated, stop, extend } = useWorkspaceActions();
  const report = (title: string) => (error: unknown) => {
    toastApi.post({ title, description: errorWords(error), status: 'danger' });
  };
  return {
    isPending: [start, startUpdated, stop, extend].some(each => each.isPending),
    start: () =>
      start
        .mutateAsync(workspaceId)
        .catch(report(t('toast.startFailed', { name }))),
    /** Reads the devfile again, then starts the workspace. */
    startUpdated: () =>
      startUpdated
        .mutateAsync(workspaceId)
        .catch(report(t('toast.startUpdatedFailed', { name }))),
    stop: () =>
      stop
        .mutateAsync(workspaceId)
        .catch(report(t('toast.stopFailed', { name }))),
    extend: () =>
      extend.mutateAsync(workspaceId).then(
        ({ stopsAt }) => {
          if (stopsAt) {
            toastApi.post({
              title: t('toast.extended', {
                name,
                time: formatMoment(Date.parse(stopsAt)),
              }),
              status: 'neutral',
              timeout: 5_000,
            });
          }
        },
        report(t('toast.extendFailed', { name })),
      ),
  };
}
