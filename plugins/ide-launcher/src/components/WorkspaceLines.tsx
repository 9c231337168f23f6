import { useRouteRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { RelativeTime } from '@slipway/design-system';
import type { WorkspaceListItem } from '@slipway/plugin-ide-launcher-common';
import { workspaceRouteRef } from '../routes';
import {
  OpenIdeLink,
  StatusAnnouncer,
  WorkspaceStatusBadge,
} from './WorkspaceState';
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
