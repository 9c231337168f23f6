import type { WorkspaceStatus } from '@slipway/plugin-ide-launcher-common';

const WHILE_CHANGING_MS = 1_500;
const WITHOUT_SIGNALS_MS = 5_000;
const WITH_SIGNALS_MS = 30_000;

/**
 * How long to wait before reading again, in milliseconds.
 *
 * Signals tell of changes at once, but may be missing or lost with their socket, so everything is
 * also read in intervals: short ones while a workspace is between two states, which is when
 * somebody is watching.
 */
export function refreshInterval(options: {
  statuses: readonly WorkspaceStatus[];
  signalsAvailable: boolean;
}): number {
  if (options.statuses.some(isChanging)) {
    return WHILE_CHANGING_MS;
  }
  return options.signalsAvailable ? WITH_SIGNALS_MS : WITHOUT_SIGNALS_MS;
}

/** Whether a workspace in this state will be in another one soon, by itself. */
export function isChanging(status: WorkspaceStatus): boolean {
  return status === 'Starting' || status === 'Stopping';
}
