import type { WorkspaceListItem } from '@slipway/plugin-ide-launcher-common';

/**
 * What a page calls the state of a workspace. The contract has no word for a failed start (it is
 * `Stopped`), but the user has to see it as one.
 */
export type DisplayStatus = WorkspaceListItem['status'] | 'Failed';

/** Every {@link DisplayStatus}, the ones that matter most first. */
export const DISPLAY_STATUSES: readonly DisplayStatus[] = [
  'Running',
  'Starting',
  'Stopping',
  'Failed',
  'Stopped',
];

/** {@link DisplayStatus} of a workspace. */
export function displayStatus(
  workspace: Pick<WorkspaceListItem, 'status' | 'failed'>,
): DisplayStatus {
  return workspace.status === 'Stopped' && workspace.failed
    ? 'Failed'
    : workspace.status;
}

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

/**
 * A moment as the reader's clock shows it: `14:05`, with the date where it is not today.
 *
 * @param value - ISO 8601
 */
export function clockTime(value: string, now: Date = new Date()): string {
  const moment = new Date(value);
  const isToday = moment.toDateString() === now.toDateString();
  return new Intl.DateTimeFormat(undefined, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(!isToday && { day: 'numeric', month: 'short' }),
  }).format(moment);
}

/** A moment in full, for the title of an element that shows less. */
export function fullTime(value: string): string {
  return new Intl.DateTimeFormat(undefined, {
    dateStyle: 'full',
    timeStyle: 'long',
  }).format(new Date(value));
}
