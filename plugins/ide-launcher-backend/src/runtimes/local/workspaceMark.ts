/** Variable that every process of a workspace carries. */
const MARK_VARIABLE = 'SLIPWAY_WORKSPACE_MARK';

/** Whose a process is. */
export interface WorkspaceMark {
  installation: string;
  workspaceId: string;
}

/**
 * The entry that stands in the environment of every process of a workspace.
 * It ends in a character no id contains, so that it can be searched as text.
 */
export function markEntry(mark: WorkspaceMark): string {
  return `${MARK_VARIABLE}=${mark.installation}:${mark.workspaceId};`;
}

/** Reads a mark back from the entries of an environment. */
export function readMark(environment: string): WorkspaceMark | null {
  const match = new RegExp(
    `(?:^|\\0)${MARK_VARIABLE}=([0-9a-f]+):([^;\\0]+);`,
  ).exec(environment);
  return match ? { installation: match[1], workspaceId: match[2] } : null;
}
