import { type ReactNode, useState } from 'react';
import { useRouteRef, useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert, Button, Text } from '@backstage/ui';
import {
  RiDeleteBinLine,
  RiPlayLine,
  RiRefreshLine,
  RiRestartLine,
  RiStopLine,
} from '@remixicon/react';
import { isMissing, ReadFailure, useErrorWords } from '@slipway/app-react';
import {
  formatAbsolute,
  formatMoment,
  LoadingBlock,
  Page,
  PageHeader,
} from '@slipway/design-system';
import type { WorkspaceDetails } from '@slipway/plugin-ide-launcher-common';
import { useNavigate, useParams } from 'react-router-dom';
import { DeleteWorkspaceDialog } from '../../components/DeleteWorkspaceDialog';
import {
  NoSuchWorkspace,
  OpenIdeLink,
  StartSteps,
  StatusAnnouncer,
  WorkspaceFailure,
  WorkspaceStatusBadge,
} from '../../components/WorkspaceState';
import { useWorkspace, useWorkspacePermissions } from '../../queries';
import { rootRouteRef } from '../../routes';
import { ideLauncherTranslationRef } from '../../translation';
import { useReportedActions } from '../../useReportedActions';
import {
  CommandsPanel,
  DetailsPanel,
  EndpointsPanel,
  LogPanel,
  WarningsPanel,
} from './WorkspacePanels';
import styles from './WorkspacePage.module.css';

/** The page of one workspace, or an error if it cannot be read. */
export function WorkspacePage() {
  const { workspaceId = '' } = useParams();
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const errorWords = useErrorWords();
  const listPath = useRouteRef(rootRouteRef)?.();
  const {
    data: workspace,
    error,
    isPending,
    refetch,
  } = useWorkspace(workspaceId);
  // Buttons that appear later would push the page down.
  const permissions = useWorkspacePermissions();
  const breadcrumbs = [{ label: t('list.title'), href: listPath ?? '' }];

  if (isMissing(error)) {
    return <NoSuchWorkspace workspaceId={workspaceId} />;
  }
  if (!workspace || permissions.isPending) {
    return (
      <Page
        header={<PageHeader title={workspaceId} breadcrumbs={breadcrumbs} />}
      >
        {(isPending || workspace) && (
          <LoadingBlock label={t('workspace.loading')} height={320} />
        )}
        {error && (
          <ReadFailure
            title={t('workspace.failedTitle')}
            error={error}
            onRetry={() => refetch()}
          />
        )}
      </Page>
    );
  }
  return (
    <WorkspaceView
      workspace={workspace}
      breadcrumbs={breadcrumbs}
      notice={
        error && (
          <Alert
            status="warning"
            icon
            title={t('workspace.staleTitle')}
            description={errorWords(error)}
          />
        )
      }
    />
  );
}

/** Shows one workspace with all details. */
function WorkspaceView(props: {
  workspace: WorkspaceDetails;
  breadcrumbs: { label: string; href: string }[];
  /** Shown above everything else: a problem with the displayed data. */
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
        {workspace.failed && <WorkspaceFailure workspace={workspace} />}
        <UnusedNotice workspace={workspace} />
        <IdleDeadline workspace={workspace} />
        <div className={styles.columns}>
          <div className={styles.column}>
            <StartSteps workspace={workspace} title={t('workspace.steps')} />
            <LogPanel workspace={workspace} />
          </div>
          <div className={styles.column}>
            <EndpointsPanel
              endpoints={workspace.endpoints}
              status={workspace.status}
            />
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

/** Shows the actions currently available for a workspace, the main one first. */
function WorkspaceHeaderActions(props: {
  workspace: WorkspaceDetails;
  onDelete: () => void;
}) {
  const { workspace, onDelete } = props;
  const { status } = workspace;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const actions = useReportedActions(workspace);
  const { mayUpdate, mayDelete } = useWorkspacePermissions();
  return (
    <div className={styles.actions}>
      {mayUpdate && (status === 'Running' || status === 'Starting') && (
        <OpenIdeLink workspace={workspace} variant="primary" />
      )}
      {mayUpdate && status === 'Stopped' && (
        <Button
          variant="primary"
          iconStart={<RiPlayLine aria-hidden />}
          isPending={actions.isPending}
          onPress={actions.start}
        >
          {workspace.failed ? t('action.retry') : t('action.start')}
        </Button>
      )}
      {mayUpdate && status === 'Stopped' && (
        <Button
          variant="secondary"
          iconStart={<RiRefreshLine aria-hidden />}
          isPending={actions.isPending}
          onPress={actions.startUpdated}
        >
          {t('action.startUpdated')}
        </Button>
      )}
      {mayUpdate && (status === 'Running' || status === 'Starting') && (
        <Button
          variant="secondary"
          iconStart={<RiStopLine aria-hidden />}
          isPending={actions.isPending}
          onPress={actions.stop}
        >
          {t('action.stop')}
        </Button>
      )}
      {mayUpdate && status === 'Running' && (
        <Button
          variant="secondary"
          iconStart={<RiRestartLine aria-hidden />}
          isPending={actions.isPending}
          onPress={actions.restart}
        >
          {t('action.restart')}
        </Button>
      )}
      {mayDelete && (
        <Button
          variant="secondary"
          iconStart={<RiDeleteBinLine aria-hidden />}
          onPress={onDelete}
        >
          {t('action.delete')}
        </Button>
      )}
    </div>
  );
}

/** Warns that an unused workspace will be deleted, and how to keep it. */
function UnusedNotice({
  workspace,
}: {
  workspace: Pick<WorkspaceDetails, 'deletesAt' | 'importedFrom'>;
}) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  if (!workspace.deletesAt) {
    return null;
  }
  const day = longDay(workspace.deletesAt);
  return (
    <Alert
      status="warning"
      icon
      // An imported workspace that has never run has no files.
      title={
        workspace.importedFrom
          ? t('workspace.unusedImport', { day })
          : t('workspace.unused', { day })
      }
      description={t('workspace.unusedAdvice')}
    />
  );
}

/** Formats a day: `24 December 2026`. */
function longDay(value: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }).format(
    new Date(value),
  );
}

/** Shows when a running workspace will stop because it is idle, with a button to postpone that. */
function IdleDeadline({ workspace }: { workspace: WorkspaceDetails }) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const actions = useReportedActions(workspace);
  const { mayUpdate } = useWorkspacePermissions();
  const { stopsAt, status, statusMessage, failed, name } = workspace;
  if (status !== 'Running') {
    // A failure has its own panel.
    return statusMessage && !failed ? (
      <Text as="p" color="secondary">
        {statusMessage}
      </Text>
    ) : null;
  }
  if (!stopsAt) {
    return (
      <Text as="p" color="secondary">
        {t('workspace.neverStops')}
      </Text>
    );
  }
  return (
    <div className={styles.deadline}>
      <Text as="p" color="secondary">
        <time dateTime={stopsAt} title={formatAbsolute(Date.parse(stopsAt))}>
          {t('workspace.stopsAt', { time: formatMoment(Date.parse(stopsAt)) })}
        </time>
      </Text>
      {mayUpdate && (
        <Button
          size="small"
          variant="secondary"
          isPending={actions.isPending}
          onPress={actions.extend}
          aria-label={t('action.extendNamed', { name })}
        >
          {t('action.extend')}
        </Button>
      )}
    </div>
  );
}
