import {
  toastApiRef,
  useApi,
  useRouteRef,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { useEntity } from '@backstage/plugin-catalog-react';
import { Button, ButtonLink, Flex, Link, Text } from '@backstage/ui';
import { RiExternalLinkLine } from '@remixicon/react';
import { ReadFailure, useErrorWords } from '@slipway/app-react';
import { ErrorPanel, LoadingRows, Panel } from '@slipway/design-system';
import {
  DEVFILE_ANNOTATION,
  devfileUrlOf,
  type WorkspaceListItem,
} from '@slipway/plugin-ide-launcher-common';
import { useNavigate } from 'react-router-dom';
import { WorkspaceLines } from '../components/WorkspaceLines';
import { mostRecentFirst } from '../components/WorkspaceState';
import {
  useWorkspaceActions,
  useWorkspaceList,
  useWorkspacePermissions,
} from '../queries';
import { openRouteRef } from '../routes';
import { ideLauncherTranslationRef } from '../translation';

/** A card on components with a devfile: the user's workspaces from it, and a button to open one. */
export function EntityWorkspacesCard() {
  const { entity } = useEntity();
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const { annotations = {} } = entity.metadata;
  const devfileUrl = devfileUrlOf(annotations);
  if (!devfileUrl) {
    return (
      <Panel title={t('card.title')}>
        <ErrorPanel
          title={t('card.badAnnotation')}
          advice={t('card.badAnnotationAdvice', {
            annotation: DEVFILE_ANNOTATION,
            value: annotations[DEVFILE_ANNOTATION] ?? '',
          })}
        />
      </Panel>
    );
  }
  return <DevfileWorkspaces devfileUrl={devfileUrl} />;
}

function DevfileWorkspaces({ devfileUrl }: { devfileUrl: string }) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const { data, error, isPending, refetch } = useWorkspaceList();
  const workspaces = data && workspacesOfDevfile(data.workspaces, devfileUrl);
  return (
    <Panel
      title={t('card.title')}
      action={
        workspaces && (
          <OpenWorkspaceButton
            devfileUrl={devfileUrl}
            reusable={workspaces[0]}
          />
        )
      }
    >
      <Flex direction="column" gap="2">
        {isPending && <LoadingRows label={t('card.loading')} rows={2} />}
        {error && (
          <ReadFailure
            title={t('card.readFailed')}
            error={error}
            onRetry={() => refetch()}
          />
        )}
        {workspaces?.length === 0 && (
          <Text as="p" color="secondary">
            {t('card.none')}
          </Text>
        )}
        {workspaces && workspaces.length > 0 && (
          <WorkspaceLines workspaces={workspaces} />
        )}
        <Text as="p" variant="body-small">
          <Link href={devfileUrl} target="_blank" rel="noopener">
            {t('card.devfile')}
          </Link>
        </Text>
      </Flex>
    </Panel>
  );
}

/** Returns the workspaces of one devfile, those closest to running first, then by last use. */
export function workspacesOfDevfile(
  workspaces: readonly WorkspaceListItem[],
  devfileUrl: string,
): WorkspaceListItem[] {
  return mostRecentFirst(
    workspaces.filter(workspace => workspace.devfileUrl === devfileUrl),
  );
}

/**
 * Opens the IDE of a devfile: that of an existing workspace, or of a new one. A workspace that
 * must be started or created first opens in this tab, because a new one would be blocked.
 */
export function OpenWorkspaceButton(props: {
  devfileUrl: string;
  /** The existing workspace closest to running. */
  reusable: WorkspaceListItem | undefined;
}) {
  const { devfileUrl, reusable } = props;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const navigate = useNavigate();
  const openPath = useRouteRef(openRouteRef);
  const toastApi = useApi(toastApiRef);
  const errorWords = useErrorWords();
  const { create, start } = useWorkspaceActions();
  const { mayCreate, mayUpdate } = useWorkspacePermissions();

  if (reusable ? !mayUpdate : !mayCreate) {
    return null;
  }
  if (reusable && reusable.status !== 'Stopped') {
    return (
      <ButtonLink
        size="small"
        variant="primary"
        href={openPath?.({ workspaceId: reusable.workspaceId })}
        target="_blank"
        rel="noopener"
        iconEnd={<RiExternalLinkLine aria-hidden />}
      >
        {t('card.open')}
      </ButtonLink>
    );
  }
  const open = async () => {
    try {
      const { workspaceId } = reusable
        ? await start.mutateAsync(reusable.workspaceId)
        : await create.mutateAsync({ devfileUrl });
      const path = openPath?.({ workspaceId });
      if (path) {
        navigate(path);
      }
    } catch (error) {
      toastApi.post({
        title: t('card.failed'),
        description: errorWords(error),
        status: 'danger',
      });
    }
  };
  return (
    <Button
      size="small"
      variant="primary"
      isPending={create.isPending || start.isPending}
      onPress={open}
    >
      {t('card.open')}
    </Button>
  );
}
