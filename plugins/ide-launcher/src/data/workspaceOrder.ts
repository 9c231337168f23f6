import type { WorkspaceListItem } from '@slipway/plugin-ide-launcher-common';
import { DISPLAY_STATUSES, displayStatus } from './displayStatus';

/** Workspaces of one devfile, those nearest to running first, then by last use. */
export function workspacesOfDevfile(
  workspaces: readonly WorkspaceListItem[],
  devfileUrl: string,
): WorkspaceListItem[] {
  return mostRecentFirst(
    workspaces.filter(workspace => workspace.devfileUrl === devfileUrl),
  );
}

/** Orders by state, the active ones on top, then by last use, latest first. */
export function mostRecentFirst(
  workspaces: readonly WorkspaceListItem[],
): WorkspaceListItem[] {
  return [...workspaces].sort(
    (a, b) => rank(a) - rank(b) || b.lastUsed.localeCompare(a.lastUsed),
  );
}

/** Stopped and failed share a rank: which of them was used last matters more. */
function rank(workspace: WorkspaceListItem): number {
  return workspace.status === 'Stopped'
    ? DISPLAY_STATUSES.length
    : DISPLAY_STATUSES.indexOf(displayStatus(workspace));
}
