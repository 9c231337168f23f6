import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Flex } from '@backstage/ui';
import { ReadFailure } from '@slipway/app-react';
import { LoadingRows } from '@slipway/design-system';
import { useCreateDialog } from '../../components/create/useCreateDialog';
import { IsolationNotice } from '../../components/IsolationNotice';
import { StatusAnnouncer } from '../../components/StatusAnnouncer';
import { useWorkspaceList } from '../../data/workspaceQueries';
import { ideLauncherTranslationRef } from '../../translation';
import { NoWorkspaces } from './NoWorkspaces';
import { WorkspaceTable } from './WorkspaceTable';

const NONE: readonly never[] = [];

/** The caller's workspaces, or the way to the first one. */
export function WorkspacesPage() {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const list = useWorkspaceList();
  const { open } = useCreateDialog();
  const workspaces = list.data?.workspaces;

  return (
    <Flex direction="column" gap="4">
      <IsolationNotice />
      {list.error && (
        <ReadFailure
          title={t('list.failedTitle')}
          error={list.error}
          advice={workspaces && t('list.failedAdvice')}
          onRetry={() => list.refetch()}
        />
      )}
      {!workspaces && list.isPending && (
        <LoadingRows label={t('list.loading')} rows={5} />
      )}
      {workspaces?.length === 0 && <NoWorkspaces onCreate={open} />}
      {workspaces && workspaces.length > 0 && (
        <WorkspaceTable workspaces={workspaces} />
      )}
      <StatusAnnouncer workspaces={workspaces ?? NONE} />
    </Flex>
  );
}
