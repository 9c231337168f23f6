import {
  toastApiRef,
  useApi,
  useRouteRef,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { Button, ButtonLink } from '@backstage/ui';
import { RiExternalLinkLine } from '@remixicon/react';
import type { WorkspaceListItem } from '@slipway/plugin-ide-launcher-common';
import { useNavigate } from 'react-router-dom';
import { useErrorWords } from '@slipway/app-react';
import { useWorkspaceActions } from '../data/useWorkspaceActions';
import { useWorkspacePermissions } from '../data/useWorkspacePermissions';
import { openRouteRef } from '../routes';
import { ideLauncherTranslationRef } from '../translation';

/**
 * Leads into the IDE of a devfile: that of the workspace there is, or of a new one. A workspace
 * that has to be started or created first opens in this tab, since a new one would be blocked.
 */
export function OpenWorkspaceButton(props: {
  devfileUrl: string;
  /** The workspace to use again, the one nearest to running. */
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
