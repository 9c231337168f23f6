import { WorkspaceSummary } from './Workspace';

/** When unused workspaces are deleted. */
export interface CleanUpRules {
  /** From the last use to the deletion, at least. */
  afterMs: number;
  /** From the notice to the deletion, at least. */
  noticeMs: number;
}

type Unused = Pick<
  WorkspaceSummary,
  'status' | 'lastUsedAt' | 'unusedNoticeAt'
>;

/** Whether the owner is yet to be told. A use after a notice makes it void. */
export function isDueForNotice(
  workspace: Unused,
  { afterMs, noticeMs }: CleanUpRules,
  now: Date,
): boolean {
  return (
    workspace.status === 'Stopped' &&
    !hasNotice(workspace) &&
    now.getTime() >= Date.parse(workspace.lastUsedAt) + afterMs - noticeMs
  );
}

/**
 * When an unused workspace is deleted.
 *
 * @returns null while it is in use, and until its owner has been told.
 */
export function deletesAt(
  workspace: Unused,
  rules: CleanUpRules | null,
): Date | null {
  if (!rules || workspace.status !== 'Stopped' || !hasNotice(workspace)) {
    return null;
  }
  return new Date(
    Math.max(
      Date.parse(workspace.lastUsedAt) + rules.afterMs,
      Date.parse(workspace.unusedNoticeAt ?? '') + rules.noticeMs,
    ),
  );
}

function hasNotice({ lastUsedAt, unusedNoticeAt }: Unused): boolean {
  return unusedNoticeAt !== null && unusedNoticeAt > lastUsedAt;
}
