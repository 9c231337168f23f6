import { useRouteRef, useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert } from '@backstage/ui';
import { ReadFailure, useErrorWords, isMissing } from '@slipway/app-react';
import { LoadingBlock, Page, PageHeader } from '@slipway/design-system';
import { useParams } from 'react-router-dom';
import { NoSuchWorkspace } from '../../components/NoSuchWorkspace';
import { useWorkspace } from '../../data/workspaceQueries';
import { rootRouteRef } from '../../routes';
import { ideLauncherTranslationRef } from '../../translation';
import { WorkspaceView } from './WorkspaceView';

/** The page of one workspace: reads it, and shows what stands in its place when it cannot. */
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
  const breadcrumbs = [{ label: t('list.title'), href: listPath ?? '' }];

  if (isMissing(error)) {
    return <NoSuchWorkspace workspaceId={workspaceId} />;
  }
  if (!workspace) {
    return (
      <Page
        header={<PageHeader title={workspaceId} breadcrumbs={breadcrumbs} />}
      >
        {isPending && (
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
