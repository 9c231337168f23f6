import { useRouteRef, useTranslationRef } from '@backstage/frontend-plugin-api';
import { ButtonLink, Flex } from '@backstage/ui';
import { ReadFailure, isMissing } from '@slipway/app-react';
import { LoadingBlock, Page, PageHeader } from '@slipway/design-system';
import { useParams, useSearchParams } from 'react-router-dom';
import { NoSuchWorkspace } from '../../components/NoSuchWorkspace';
import { StatusAnnouncer } from '../../components/StatusAnnouncer';
import { WorkspaceStatusBadge } from '../../components/WorkspaceStatusBadge';
import { useWorkspace } from '../../data/workspaceQueries';
import { rootRouteRef, workspaceRouteRef } from '../../routes';
import { ideLauncherTranslationRef } from '../../translation';
import { OpenProgress } from './OpenProgress';
import { parseDestination, useEnterIde } from './useEnterIde';

/**
 * The door to the IDE: fetches a one-time ticket and goes there, or shows what there is to wait
 * for. Links open it in a new tab, and the IDE gateway sends visitors without a session here.
 */
export function OpenPage(props: {
  /** Takes this tab to the IDE; replaced in tests. */
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
