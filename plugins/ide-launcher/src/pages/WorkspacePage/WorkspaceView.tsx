import { type ReactNode, useState } from 'react';
import { useRouteRef, useTranslationRef } from '@backstage/frontend-plugin-api';
import { Page, PageHeader } from '@slipway/design-system';
import type { WorkspaceDetails } from '@slipway/plugin-ide-launcher-common';
import { useNavigate } from 'react-router-dom';
import { DeleteWorkspaceDialog } from '../../components/DeleteWorkspaceDialog';
import { StartFailure } from '../../components/StartFailure';
import { StartSteps } from '../../components/StartSteps';
import { StatusAnnouncer } from '../../components/StatusAnnouncer';
import { WorkspaceStatusBadge } from '../../components/WorkspaceStatusBadge';
import { rootRouteRef } from '../../routes';
import { ideLauncherTranslationRef } from '../../translation';
import { CommandsPanel } from './CommandsPanel';
import { DetailsPanel } from './DetailsPanel';
import { EndpointsPanel } from './EndpointsPanel';
import { IdleDeadline } from './IdleDeadline';
import { LogPanel } from './LogPanel';
import { UnusedNotice } from './UnusedNotice';
import { WarningsPanel } from './WarningsPanel';
import { WorkspaceHeaderActions } from './WorkspaceHeaderActions';
import styles from './WorkspacePage.module.css';

/** One workspace in full. */
export function WorkspaceView(props: {
  workspace: WorkspaceDetails;
  breadcrumbs: { label: string; href: string }[];
  /** Stands above everything else: what is wrong with what is shown. */
  notice?: ReactNode;
}) {
  const { workspace, breadcrumbs, notice } = props;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const navigate = useNavigate();
  const listPath = useRouteRef(rootRouteRef);
  const [isDeleting, setIsDeleting] = useState(false);
  return (
    <Page
      header={
        <PageHeader
          title={workspace.name}
          breadcrumbs={breadcrumbs}
          status={<WorkspaceStatusBadge workspace={workspace} />}
          action={
            <WorkspaceHeaderActions
              workspace={workspace}
              onDelete={() => setIsDeleting(true)}
            />
          }
        />
      }
    >
      <StatusAnnouncer workspaces={[workspace]} />
      <div className={styles.page}>
        {notice}
        {workspace.failed && <StartFailure workspace={workspace} />}
        <UnusedNotice workspace={workspace} />
        <IdleDeadline workspace={workspace} />
        <div className={styles.columns}>
          <div className={styles.column}>
            <StartSteps workspace={workspace} title={t('workspace.steps')} />
            <LogPanel workspace={workspace} />
          </div>
          <div className={styles.column}>
            <EndpointsPanel endpoints={workspace.endpoints} />
            <CommandsPanel commands={workspace.commands} />
            <WarningsPanel warnings={workspace.warnings} />
            <DetailsPanel workspace={workspace} />
          </div>
        </div>
      </div>
      {isDeleting && (
        <DeleteWorkspaceDialog
          workspace={workspace}
          onClose={() => setIsDeleting(false)}
          onDeleted={() => navigate(listPath?.() ?? '/', { replace: true })}
        />
      )}
    </Page>
  );
}
