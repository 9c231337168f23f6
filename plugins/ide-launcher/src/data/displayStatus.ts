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
