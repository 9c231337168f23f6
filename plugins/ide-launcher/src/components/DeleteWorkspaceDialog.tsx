import { useEffect } from 'react';
import {
  toastApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { Text } from '@backstage/ui';
import { useErrorWords } from '@slipway/app-react';
import { ConfirmDialog } from '@slipway/design-system';
import type { WorkspaceListItem } from '@slipway/plugin-ide-launcher-common';
import { useWorkspaceActions } from '../queries';
import { ideLauncherTranslationRef } from '../translation';

interface DeleteWorkspaceDialogProps {
  workspace: WorkspaceListItem;
  onClose: () => void;
  onDeleted?: () => void;
  /**
   * Receives the focus when the dialog closes. Needed if the dialog is opened from a menu,
   * because the focused menu item no longer exists then.
   */
  returnFocusTo?: HTMLElement | null;
}

/**
 * Asks for confirmation before a workspace is deleted, and lists what is deleted with it. Open
 * while mounted.
 */
export function DeleteWorkspaceDialog(props: DeleteWorkspaceDialogProps) {
  const { workspace, onClose, onDeleted, returnFocusTo } = props;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const toastApi = useApi(toastApiRef);
  const errorWords = useErrorWords();
  const { remove } = useWorkspaceActions();
  useEffect(
    () => () => {
      // One frame later, because the dialog traps the focus until then.
      requestAnimationFrame(() => returnFocusTo?.focus());
    },
    [returnFocusTo],
  );
  const { workspaceId, name, status } = workspace;
  const onConfirm = async () => {
    await remove.mutateAsync(workspaceId);
    toastApi.post({
      title: t('toast.deleted', { name }),
      status: 'neutral',
      timeout: 5_000,
    });
    onDeleted?.();
  };
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={isOpen => {
        if (!isOpen) {
          onClose();
        }
      }}
      title={t('delete.title', { name })}
      confirmLabel={t('delete.confirm')}
      onConfirm={onConfirm}
      describeError={errorWords}
    >
      <Text as="p">{t('delete.lost')}</Text>
      {status !== 'Stopped' && <Text as="p">{t('delete.running')}</Text>}
    </ConfirmDialog>
  );
}
