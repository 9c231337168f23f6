import { useApi } from '@backstage/frontend-plugin-api';
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
import { ideLauncherApiRef } from '../api/IdeLauncherApi';
import { queryKeys } from './workspaceQueries';
import { readWorkspace } from './useLiveUpdates';

/** Starts, stops, extends, deletes and creates workspaces; what is on screen follows at once. */
export function useWorkspaceActions() {
  const api = useApi(ideLauncherApiRef);
  const client = useQueryClient();
  const onSuccess = (workspace: WorkspaceDetails) =>
    showWorkspace(client, workspace);
  // A refused change means that what is shown is not what is: look again.
  const onError = (_error: Error, workspaceId: string) =>
    readWorkspace(client, workspaceId);

  const start = useMutation({
    mutationFn: (workspaceId: string) => api.startWorkspace(workspaceId),
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
    onSuccess: (_nothing, workspaceId) => forgetWorkspace(client, workspaceId),
  });
  const create = useMutation({
    mutationFn: (request: CreateWorkspaceRequest) =>
      api.createWorkspace(request),
    onSuccess: workspace => readWorkspace(client, workspace.workspaceId),
  });
  return { start, stop, extend, remove, create };
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
