import { useRouteRef, useTranslationRef } from '@backstage/frontend-plugin-api';
import { ButtonLink, Flex, Link } from '@backstage/ui';
import { ReadFailure } from '@slipway/app-react';
import { EmptyState, LoadingRows } from '@slipway/design-system';
import { WorkspaceLines } from '../components/WorkspaceLines';
import { mostRecentFirst } from '../components/WorkspaceState';
import { useWorkspaceList, useWorkspacePermissions } from '../queries';
import { rootRouteRef } from '../routes';
import { ideLauncherTranslationRef } from '../translation';

/** The number of workspaces that fit in a home page card without scrolling. */
const SHOWN = 5;

/** Content of the home card: the user's most recent workspaces. */
export function MyWorkspaces() {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const listPath = useRouteRef(rootRouteRef)?.();
  const { mayCreate } = useWorkspacePermissions();
  const { data, error, isPending, refetch } = useWorkspaceList();
  const workspaces = data?.workspaces;
  return (
    <Flex direction="column" gap="2">
      {isPending && <LoadingRows label={t('home.loading')} rows={3} />}
      {error && (
        <ReadFailure
          title={t('home.failed')}
          error={error}
          onRetry={() => refetch()}
        />
      )}
      {workspaces?.length === 0 && (
        <EmptyState
          level={3}
          title={t('home.emptyTitle')}
          description={t('home.emptyText')}
          action={
            mayCreate && (
              <ButtonLink
                href={`${listPath}?create=1`}
                variant="secondary"
                size="small"
              >
                {t('action.create')}
              </ButtonLink>
            )
          }
        />
      )}
      {workspaces && workspaces.length > 0 && (
        <WorkspaceLines
          workspaces={mostRecentFirst(workspaces).slice(0, SHOWN)}
        />
      )}
      {workspaces && workspaces.length > SHOWN && (
        <Link href={listPath} variant="body-small">
          {t('home.more', { count: workspaces.length - SHOWN })}
        </Link>
      )}
    </Flex>
  );
}
