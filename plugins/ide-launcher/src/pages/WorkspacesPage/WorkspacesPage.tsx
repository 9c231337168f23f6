import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Flex, Text } from '@backstage/ui';
import { RiAddLine } from '@remixicon/react';
import { type PageFrameProps, ReadFailure } from '@slipway/app-react';
import {
  EmptyState,
  LoadingRows,
  Page,
  PageHeader,
} from '@slipway/design-system';
import { StatusAnnouncer } from '../../components/WorkspaceState';
import { CreateWorkspaceDialog } from '../../create/CreateWorkspaceDialog';
import { useCreateDialog } from '../../create/useCreateDialog';
import { IsolationNotice } from '../../create/CreateNotices';
import { SampleList } from '../../create/SampleList';
import {
  useWorkspaceList,
  useWorkspaceOptions,
  useWorkspacePermissions,
} from '../../queries';
import { ideLauncherTranslationRef } from '../../translation';
import { WorkspaceTable } from './WorkspaceTable';

/** The header above the tabs, with the create dialog. */
export function WorkspacesFrame({ children, ...header }: PageFrameProps) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const dialog = useCreateDialog();
  const { isPending, mayCreate } = useWorkspacePermissions();
  return (
    <Page
      header={
        <PageHeader
          {...header}
          description={t('list.description')}
          status={null}
          isLoading={isPending}
          action={
            isPending
              ? undefined
              : mayCreate && (
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
      {children}
      {dialog.isOpen && (
        <CreateWorkspaceDialog
          initialDevfileUrl={dialog.devfileUrl}
          onClose={dialog.close}
        />
      )}
    </Page>
  );
}

const NONE: readonly never[] = [];

/** Lists the user's workspaces, or explains how to create the first one. */
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

/** Empty state of the list: explains its purpose and the next step. */
function NoWorkspaces(props: { onCreate: (devfileUrl?: string) => void }) {
  const { onCreate } = props;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const { isPending, mayCreate } = useWorkspacePermissions();
  const options = useWorkspaceOptions();
  const samples = options.data?.samples ?? [];
  if (!mayCreate) {
    return isPending ? null : (
      <EmptyState
        title={t('list.emptyTitle')}
        description={t('list.noPermission')}
      />
    );
  }
  return (
    <Flex direction="column" gap="4">
      <EmptyState
        title={t('list.emptyTitle')}
        description={t('list.emptyDescription')}
        action={
          <Button variant="secondary" onPress={() => onCreate()}>
            {t('action.create')}
          </Button>
        }
      />
      {samples.length > 0 && (
        <section aria-labelledby="ide-launcher-samples">
          <Text as="h2" variant="title-x-small" id="ide-launcher-samples">
            {t('list.samples')}
          </Text>
          <SampleList samples={samples} onSelect={onCreate} />
        </section>
      )}
    </Flex>
  );
}
