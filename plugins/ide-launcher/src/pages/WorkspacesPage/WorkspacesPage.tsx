import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Flex } from '@backstage/ui';
import {
  ErrorPanel,
  LoadingRows,
  Page,
  PageHeader,
} from '@slipway/design-system';
import { RiAddLine } from '@remixicon/react';
import { CreateWorkspaceDialog } from '../../components/create/CreateWorkspaceDialog';
import { useCreateDialog } from '../../components/create/useCreateDialog';
import { IsolationNotice } from '../../components/IsolationNotice';
import { StatusAnnouncer } from '../../components/StatusAnnouncer';
import { useErrorWords } from '../../components/useErrorWords';
import { useWorkspaceList } from '../../data/useWorkspaceList';
import { useWorkspacePermissions } from '../../data/useWorkspacePermissions';
import { ideLauncherTranslationRef } from '../../translation';
import { NoWorkspaces } from './NoWorkspaces';
import { WorkspaceTable } from './WorkspaceTable';

const NONE: readonly never[] = [];

/** The caller's workspaces, and the dialog that creates one. */
export function WorkspacesPage() {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const errorWords = useErrorWords();
  const list = useWorkspaceList();
  const dialog = useCreateDialog();
  const { mayCreate } = useWorkspacePermissions();
  const workspaces = list.data?.workspaces;

  return (
    <Page
      header={
        <PageHeader
          title={t('list.title')}
          description={t('list.description')}
          action={
            mayCreate && (
              <Button
                variant="primary"
                iconStart={<RiAddLine aria-hidden />}
                onPress={() => dialog.open()}
              >
                {t('action.create')}
              </Button>
            )
          }
        />
      }
    >
      <Flex direction="column" gap="4">
        <IsolationNotice />
        {list.error && (
          <ErrorPanel
            title={t('list.failedTitle')}
            error={errorWords(list.error)}
            advice={workspaces && t('list.failedAdvice')}
            onRetry={() => list.refetch()}
          />
        )}
        {!workspaces && list.isPending && (
          <LoadingRows label={t('list.loading')} rows={5} />
        )}
        {workspaces?.length === 0 && <NoWorkspaces onCreate={dialog.open} />}
        {workspaces && workspaces.length > 0 && (
          <WorkspaceTable workspaces={workspaces} />
        )}
        <StatusAnnouncer workspaces={workspaces ?? NONE} />
      </Flex>
      {dialog.isOpen && (
        <CreateWorkspaceDialog
          initialDevfileUrl={dialog.devfileUrl}
          onClose={dialog.close}
        />
      )}
    </Page>
  );
}
