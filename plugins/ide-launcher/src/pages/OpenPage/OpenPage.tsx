import { useState } from 'react';
import { useRouteRef, useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert, Button, ButtonLink, Flex, Text } from '@backstage/ui';
import { isMissing, ReadFailure } from '@slipway/app-react';
import { LoadingBlock, Page, PageHeader } from '@slipway/design-system';
import type { WorkspaceDetails } from '@slipway/plugin-ide-launcher-common';
import { useParams, useSearchParams } from 'react-router-dom';
import {
  NoSuchWorkspace,
  StartSteps,
  StatusAnnouncer,
  WorkspaceFailure,
  WorkspaceStatusBadge,
} from '../../components/WorkspaceState';
import { useWorkspace, useWorkspacePermissions } from '../../queries';
import { rootRouteRef, workspaceRouteRef } from '../../routes';
import { ideLauncherTranslationRef } from '../../translation';
import { useReportedActions } from '../../useReportedActions';
import { parseDestination, useEnterIde } from './useEnterIde';

/**
 * Opens the IDE: fetches a one-time ticket and redirects to it, or shows the start's progress.
 * Links open it in a new tab, and the IDE gateway redirects visitors without a session here.
 */
export function OpenPage(props: {
  /** Navigates this tab to the IDE; replaced in tests. */
  leave?: (url: string) => void;
}) {
  const { leave = replaceLocation } = props;
  const { workspaceId = '' } = useParams();
  const [query] = useSearchParams();
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const listPath = useRouteRef(rootRouteRef)?.();
  const workspacePath = useRouteRef(workspaceRouteRef)?.({ workspaceId });
  const {
    data: workspace,
    error,
    isPending,
    refetch,
  } = useWorkspace(workspaceId);
  const entry = useEnterIde({
    workspaceId,
    status: workspace?.status,
    destination: parseDestination(query),
    leave,
  });
  const breadcrumbs = [{ label: t('list.title'), href: listPath ?? '' }];

  if (isMissing(error)) {
    return <NoSuchWorkspace workspaceId={workspaceId} />;
  }
  return (
    <Page
      header={
        <PageHeader
          title={t('open.title', { name: workspace?.name ?? workspaceId })}
          breadcrumbs={breadcrumbs}
          status={workspace && <WorkspaceStatusBadge workspace={workspace} />}
          action={
            <ButtonLink href={workspacePath} variant="secondary">
              {t('open.toWorkspace')}
            </ButtonLink>
          }
        />
      }
    >
      <Flex direction="column" gap="4">
        {isPending && <LoadingBlock label={t('open.loading')} height={160} />}
        {error && (
          <ReadFailure
            title={t('workspace.failedTitle')}
            error={error}
            onRetry={() => refetch()}
          />
        )}
        {entry.error && (
          <ReadFailure
            title={t('open.ticketFailed')}
            error={entry.error}
            onRetry={entry.retry}
          />
        )}
        {workspace && (
          <>
            <OpenProgress
              workspace={workspace}
              isLooping={entry.isLooping}
              isEntering={!entry.error}
              onRetry={entry.retry}
            />
            <StatusAnnouncer workspaces={[workspace]} />
          </>
        )}
      </Flex>
    </Page>
  );
}

function replaceLocation(url: string): void {
  window.location.replace(url);
}

/** Shows the progress, or the action needed, before the IDE can be opened. */
function OpenProgress(props: {
  workspace: WorkspaceDetails;
  /** True if the IDE keeps redirecting this tab back. */
  isLooping: boolean;
  /** False if opening failed and an error is shown instead. */
  isEntering: boolean;
  onRetry: () => void;
}) {
  const { workspace, isLooping, isEntering, onRetry } = props;
  const { name, status, statusMessage, failed } = workspace;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  switch (status) {
    case 'Running':
      if (isLooping) {
        return (
          <Alert
            status="warning"
            icon
            title={t('open.loopTitle')}
            description={t('open.loopDescription', {
              host: new URL(workspace.ideUrl).host,
            })}
            customActions={
              <Button size="small" variant="secondary" onPress={onRetry}>
                {t('open.enterAgain')}
              </Button>
            }
          />
        );
      }
      return isEntering ? <Text as="p">{t('open.entering')}</Text> : null;
    case 'Starting':
      return (
        <>
          <Text as="p">{t('open.waiting', { name })}</Text>
          <StartSteps workspace={workspace} title={t('workspace.steps')} />
        </>
      );
    case 'Stopping':
      return <StopProgress workspace={workspace} />;
    case 'Stopped':
      return (
        <>
          {failed ? (
            <WorkspaceFailure workspace={workspace} />
          ) : (
            <>
              <Text as="p">{t('open.stopped', { name })}</Text>
              {statusMessage && (
                <Text as="p" color="secondary">
                  {statusMessage}
                </Text>
              )}
            </>
          )}
          <StartButton workspace={workspace} />
          {failed && (
            <StartSteps workspace={workspace} title={t('workspace.steps')} />
          )}
        </>
      );
    default:
      return status satisfies never;
  }
}

/** Offers to start a stopping workspace again; then says that the IDE opens once it runs. */
function StopProgress({ workspace }: { workspace: WorkspaceDetails }) {
  const { name } = workspace;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const [isStartNext, setIsStartNext] = useState(false);
  return isStartNext ? (
    <Text as="p">{t('open.waiting', { name })}</Text>
  ) : (
    <>
      <Text as="p">{t('open.stopping', { name })}</Text>
      <StartButton workspace={workspace} onStart={() => setIsStartNext(true)} />
    </>
  );
}

function StartButton(props: {
  workspace: WorkspaceDetails;
  /** Called once the start was accepted. */
  onStart?: () => void;
}) {
  const { workspace, onStart } = props;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const actions = useReportedActions(workspace);
  const { mayUpdate } = useWorkspacePermissions();
  if (!mayUpdate) {
    return null;
  }
  return (
    <Flex>
      <Button
        variant="primary"
        isPending={actions.isPending}
        onPress={async () => {
          if (await actions.start()) {
            onStart?.();
          }
        }}
      >
        {workspace.failed ? t('action.retry') : t('action.start')}
      </Button>
    </Flex>
  );
}
