import { useRouteRef, useTranslationRef } from '@backstage/frontend-plugin-api';
import { ButtonLink, Link } from '@backstage/ui';
import { RiExternalLinkLine } from '@remixicon/react';
import { RelativeTime } from '@slipway/design-system';
import type { WorkspaceListItem } from '@slipway/plugin-ide-launcher-common';
import { openRouteRef, workspaceRouteRef } from '../routes';
import { ideLauncherTranslationRef } from '../translation';
import { StatusAnnouncer, WorkspaceStatusBadge } from './WorkspaceState';
import styles from './WorkspaceLines.module.css';

/** Shows a few workspaces in a card, one per line. */
export function WorkspaceLines(props: {
  workspaces: readonly WorkspaceListItem[];
}) {
  const workspacePath = useRouteRef(workspaceRouteRef);
  return (
    <>
      <ul className={styles.lines}>
        {props.workspaces.map(workspace => (
          <li key={workspace.workspaceId} className={styles.line}>
            <div className={styles.name}>
              <Link
                href={workspacePath?.({ workspaceId: workspace.workspaceId })}
              >
                {workspace.name}
              </Link>
              <span className={styles.state}>
                <WorkspaceStatusBadge workspace={workspace} />
                <RelativeTime value={workspace.lastUsed} />
              </span>
            </div>
            {workspace.status === 'Running' && (
              <OpenIdeLink workspace={workspace} />
            )}
          </li>
        ))}
      </ul>
      <StatusAnnouncer workspaces={props.workspaces} />
    </>
  );
}

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
