import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import type { PageFrameProps } from '@slipway/app-react';
import { Page, PageHeader } from '@slipway/design-system';
import { RiAddLine } from '@remixicon/react';
import { CreateWorkspaceDialog } from '../components/create/CreateWorkspaceDialog';
import { useCreateDialog } from '../components/create/useCreateDialog';
import { useWorkspacePermissions } from '../data/useWorkspacePermissions';
import { ideLauncherTranslationRef } from '../translation';

/** The header above the tabs, with the dialog that creates a workspace. */
export function WorkspacesFrame({ children, ...header }: PageFrameProps) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const dialog = useCreateDialog();
  const { mayCreate } = useWorkspacePermissions();
  return (
    <Page
      header={
        <PageHeader
          {...header}
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
