import type { WorkspaceListItem } from '@slipway/plugin-ide-launcher-common';

/**
 * The displayed state of a workspace. The contract has no state for a failed start (it is
 * `Stopped`), but users need to see it as one.
 */
export type DisplayStatus = WorkspaceListItem['status'] | 'Failed';

/** All values of {@link DisplayStatus}, most relevant first. */
export const DISPLAY_STATUSES: readonly DisplayStatus[] = [
  'Running',
  'Starting',
  'Stopping',
  'Failed',
  'Stopped',
];

/** Returns the {@link DisplayStatus} of a workspace. */
export function displayStatus(
  workspace: Pick<WorkspaceListItem, 'status' | 'failed'>,
): DisplayStatus {
  return workspace.status === 'Stopped' && workspace.failed
    ? 'Failed'
    : workspace.status;
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

/** Sorts by state, active ones first, then by last use, latest first. */
export function mostRecentFirst(
  workspaces: readonly WorkspaceListItem[],
): WorkspaceListItem[] {
  return [...workspaces].sort(
    (a, b) => rank(a) - rank(b) || b.lastUsed.localeCompare(a.lastUsed),
  );
}

/** Returns the rank of a state. Stopped and failed share a rank, because the last use matters more. */
function rank(workspace: WorkspaceListItem): number {
  return workspace.status === 'Stopped'
    ? DISPLAY_STATUSES.length
    : DISPLAY_STATUSES.indexOf(displayStatus(workspace));
}

/** Formats a day: `24 December 2026`. */
export function longDay(value: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }).format(
    new Date(value),
  );
}
