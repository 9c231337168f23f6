import { setTimeout as sleep } from 'node:timers/promises';
import { listProcesses, sendSignal } from '@slipway/processes';

/** Attempts to kill all processes; on a busy machine, killed processes take seconds to disappear. */
const SWEEP_ROUNDS = 100;
const SWEEP_PAUSE_MS = 50;

/** A process of a workspace. */
interface WorkspaceProcess {
  pid: number;
  workspaceId: string;
}

/**
 * Finds the processes of an installation's workspaces: those with the mark in their environment,
 * and their descendants. Empty on systems without `/proc`.
 *
 * @param options.dead - Also include processes that have ended but are not reaped; the kernel
 * counts them against limits.
 */
export async function findWorkspaceProcesses(
  installation: string,
  options: { dead?: boolean } = {},
): Promise<WorkspaceProcess[]> {
  const parents = new Map<number, number>();
  const owners = new Map<number, string>();
  for (const { pid, parent, isDead, environment } of await listProcesses()) {
    if (isDead && !options.dead) {
      continue;
    }
    parents.set(pid, parent);
    const mark = readMark(environment);
    if (mark?.installation === installation) {
      owners.set(pid, mark.workspaceId);
    }
  }
  const found: WorkspaceProcess[] = [];
  for (const pid of parents.keys()) {
    const workspaceId = inheritedOwner(pid, parents, owners);
    if (workspaceId !== undefined) {
      found.push({ pid, workspaceId });
    }
  }
  return found;
}

/**
 * Kills all processes of the workspaces selected by `isDoomed` until none is left, including
 * terminals and their children in other sessions.
 */
export async function sweepProcesses(
  installation: string,
  isDoomed: (workspaceId: string) => boolean,
): Promise<void> {
  for (let round = 0; round < SWEEP_ROUNDS; round += 1) {
    const doomed = (await findWorkspaceProcesses(installation)).filter(
      ({ workspaceId }) => isDoomed(workspaceId),
    );
    if (doomed.length === 0) {
      return;
    }
    doomed.forEach(({ pid }) => sendSignal(pid, 'SIGKILL'));
    await sleep(SWEEP_PAUSE_MS);
  }
}

/**
 * Returns the owner of a process: that of its nearest marked ancestor, so that a portal inside a
 * workspace keeps its own children.
 */
function inheritedOwner(
  pid: number,
  parents: Map<number, number>,
  owners: Map<number, string>,
): string | undefined {
  const seen = new Set<number>();
  let current: number | undefined = pid;
  while (current !== undefined && current > 1 && !seen.has(current)) {
    const owner = owners.get(current);
    if (owner !== undefined) {
      return owner;
    }
    seen.add(current);
    current = parents.get(current);
  }
  return undefined;
}

/** Variable set in every process of a workspace. */
const MARK_VARIABLE = 'SLIPWAY_WORKSPACE_MARK';

/** The installation and workspace that a process belongs to. */
interface WorkspaceMark {
  installation: string;
  workspaceId: string;
}

/**
 * Returns the environment variable of every process of a workspace. Its value ends in a
 * character that no id contains, so that it can be searched for as text.
 */
export function markVariable(
  mark: WorkspaceMark,
): [name: string, value: string] {
  return [MARK_VARIABLE, `${mark.installation}:${mark.workspaceId};`];
}

/** Parses a mark from the entries of an environment. */
function readMark(environment: string): WorkspaceMark | null {
  const match = new RegExp(
    `(?:^|\\0)${MARK_VARIABLE}=([0-9a-f]+):([^;\\0]+);`,
  ).exec(environment);
  return match ? { installation: match[1], workspaceId: match[2] } : null;
}
