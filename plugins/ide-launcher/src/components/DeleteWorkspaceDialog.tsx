import {
  toastApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { Text } from '@backstage/ui';
import { ConfirmDialog } from '@slipway/design-system';
import type { WorkspaceListItem } from '@slipway/plugin-ide-launcher-common';
import { useWorkspaceActions } from '../data/useWorkspaceActions';
import { ideLauncherTranslationRef } from '../translation';
import { useErrorWords } from './useErrorWords';

/** Asks before a workspace is deleted, and names what goes with it. */
export function DeleteWorkspaceDialog(props: {
  /** The workspace in question; the dialog is closed without one. */
  workspace: WorkspaceListItem | undefined;
  onClose: () => void;
  onDeleted?: () => void;
}) {
  const { workspace, onClose, onDeleted } = props;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const toastApi = useApi(toastApiRef);
  const errorWords = useErrorWords();
  const { remove } = useWorkspaceActions();
  if (!workspace) {
    return null;
  }
  const { workspaceId, name, status } = workspace;
  const onConfirm = async () => {
    try {
      await remove.mutateAsync(workspaceId);
    } catch (error) {
      throw new Error(errorWords(error), { cause: error });
    }
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
    >
      <Text as="p">{t('delete.lost')}</Text>
      {status !== 'Stopped' && <Text as="p">{t('delete.running')}</Text>}
    </ConfirmDialog>
  );
}
