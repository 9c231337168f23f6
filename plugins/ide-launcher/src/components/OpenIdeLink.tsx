import { useRouteRef, useTranslationRef } from '@backstage/frontend-plugin-api';
import { ButtonLink } from '@backstage/ui';
import { RiExternalLinkLine } from '@remixicon/react';
import { openRouteRef } from '../routes';
import { ideLauncherTranslationRef } from '../translation';

/**
 * Opens the IDE in a new tab. Links to a page of the portal that fetches the one-time ticket: a
 * window opened after waiting for a response would be blocked as a pop-up.
 */
export function OpenIdeLink(props: {
  workspace: { workspaceId: string; name: string };
  variant?: 'primary' | 'secondary' | 'tertiary';
}) {
  const { workspace, variant = 'secondary' } = props;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const openPath = useRouteRef(openRouteRef);
  return (
    <ButtonLink
      href={openPath?.({ workspaceId: workspace.workspaceId })}
      target="_blank"
      rel="noopener"
      variant={variant}
      size="small"
      iconEnd={<RiExternalLinkLine aria-hidden />}
      aria-label={t('action.openNamed', { name: workspace.name })}
    >
      {t('action.open')}
    </ButtonLink>
  );
}
