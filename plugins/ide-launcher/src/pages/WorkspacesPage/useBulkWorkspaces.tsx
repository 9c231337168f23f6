import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import { RiDeleteBinLine, RiPlayLine, RiStopLine } from '@remixicon/react';
import { useBulkChange } from '@slipway/app-react';
import { type BulkAction, formatNames } from '@slipway/design-system';
import type { WorkspaceListItem } from '@slipway/plugin-ide-launcher-common';
import { ideLauncherApiRef } from '../../api/IdeLauncherApi';
import { useWorkspacePermissions } from '../../queries';
import { ideLauncherTranslationRef } from '../../translation';

/** Returns the actions that the user may perform on several workspaces at once. */
export function useBulkWorkspaces(): BulkAction<WorkspaceListItem>[] {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const api = useApi(ideLauncherApiRef);
  const bulkChange = useBulkChange();
  const { mayUpdate, mayDelete } = useWorkspacePermissions();
  const changes: BulkAction<WorkspaceListItem>[] = [
    {
      id: 'start',
      label: t('action.start'),
      icon: <RiPlayLine size={16} />,
      isFor: ({ status }) => status === 'Stopped',
      run: workspaces =>
        bulkChange(workspaces, {
          change: ({ workspaceId }) => api.startWorkspace(workspaceId),
          done: count => t('bulk.starting', { count }),
          failed: count => t('bulk.startFailed', { count }),
        }),
    },
    {
      id: 'stop',
      label: t('action.stop'),
      icon: <RiStopLine size={16} />,
      isFor: ({ status }) => status === 'Running' || status === 'Starting',
      run: workspaces =>
        bulkChange(workspaces, {
          change: ({ workspaceId }) => api.stopWorkspace(workspaceId),
          done: count => t('bulk.stopping', { count }),
          failed: count => t('bulk.stopFailed', { count }),
        }),
    },
  ];
  const removal: BulkAction<WorkspaceListItem> = {
    id: 'delete',
    label: t('action.delete'),
    icon: <RiDeleteBinLine size={16} />,
    confirm: workspaces => ({
      title: t('bulk.deleteTitle', {
        count: workspaces.length,
        name: workspaces[0]?.name,
      }),
      label: t('bulk.deleteConfirm', { count: workspaces.length }),
      text: t('bulk.deleteText', {
        names: formatNames(workspaces.map(({ name }) => name)),
      }),
    }),
    run: workspaces =>
      bulkChange(workspaces, {
        change: ({ workspaceId }) => api.deleteWorkspace(workspaceId),
        done: count => t('bulk.deleted', { count }),
        failed: count => t('bulk.deleteFailed', { count }),
      }),
  };
  return [...(mayUpdate ? changes : []), ...(mayDelete ? [removal] : [])];
}
