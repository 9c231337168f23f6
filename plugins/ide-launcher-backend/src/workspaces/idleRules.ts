import { WorkspaceSummary } from './Workspace';

/** How much later than now an Extend lets a workspace stop, at least. */
const EXTEND_MINUTES = 60;

const MINUTE_MS = 60_000;

/**
 * When an unused workspace stops: the idle time after its last use, or the
 * moment to which its owner extended it, whichever is later.
 *
 * @param idleTimeoutMinutes - null for never.
 * @returns null when it does not run, or never stops by itself.
 */
export function stopsAt(
  workspace: Pick<WorkspaceSummary, 'status' | 'lastUsedAt' | 'extendedUntil'>,
  idleTimeoutMinutes: number | null,
): Date | null {
  if (workspace.status !== 'Running' || idleTimeoutMinutes === null) {
    return null;
  }
  const idle =
    Date.parse(workspace.lastUsedAt) + idleTimeoutMinutes * MINUTE_MS;
  const extended = workspace.extendedUntil
    ? Date.parse(workspace.extendedUntil)
    : 0;
  return new Date(Math.max(idle, extended));
}

/** The moment to which an Extend at `now` keeps a workspace up: never earlier than it stops anyway. */
export function extendedUntil(
  workspace: Pick<WorkspaceSummary, 'status' | 'lastUsedAt' | 'extendedUntil'>,
  idleTimeoutMinutes: number | null,
  now: Date,
): Date {
  const current = stopsAt(workspace, idleTimeoutMinutes) ?? now;
  return new Date(
    Math.max(current.getTime(), now.getTime()) + EXTEND_MINUTES * MINUTE_MS,
  );
}
