import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert } from '@backstage/ui';
import type { WorkspaceDetails } from '@slipway/plugin-ide-launcher-common';
import { ideLauncherTranslationRef } from '../../translation';

/** Says that a workspace is about to be deleted because nobody uses it, and what keeps it. */
export function UnusedNotice({
  workspace,
}: {
  workspace: Pick<WorkspaceDetails, 'deletesAt'>;
}) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  if (!workspace.deletesAt) {
    return null;
  }
  const day = new Date(workspace.deletesAt).toLocaleDateString(undefined, {
    dateStyle: 'long',
  });
  return (
    <Alert
      status="warning"
      icon
      title={t('workspace.unused', { day })}
      description={t('workspace.unusedAdvice')}
    />
  );
}
