import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** On a busy machine even what was killed takes seconds to be gone. */
const SWEEP_ROUNDS = 100;
const SWEEP_PAUSE_MS = 50;

/** A process of a workspace. */
interface WorkspaceProcess {
  pid: number;
  workspaceId: string;
}

/**
 * Finds the processes of an installation's workspaces: those whose environment
 * carries the mark, and their descendants. Empty where there is no `/proc`.
 *
 * @param options.dead - Also those that ended and wait to be reaped; the kernel
 *   counts them against limits.
 */
export async function findWorkspaceProcesses(
  installation: string,
  options: { dead?: boolean } = {},
): Promise<WorkspaceProcess[]> {
  const pids = (await readdir('/proc').catch(() => []))
    .filter(name => /^\d+$/.test(name))
    .map(Number);
  const parents = new Map<number, number>();
  const owners = new Map<number, string>();
  await Promise.all(
    pids.map(async pid => {
      const stat = await readStat(pid);
      if (!stat || (stat.state === 'Z' && !options.dead)) {
        return;
      }
      parents.set(pid, stat.parent);
      const environment = await readFile(
        `/proc/${pid}/environ`,
        'latin1',
      ).catch(() => '');
      const mark = readMark(environment);
      if (mark?.installation === installation) {
        owners.set(pid, mark.workspaceId);
      }
    }),
  );
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
 * Kills every process of the workspaces that `isDoomed` names, until none is
 * left. Terminals and what they started are found wherever they moved to.
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
 * When a process started, in a form that only tells two processes of the same
 * pid apart; null when there is none or it is already dead.
 */
export async function processStartTime(pid: number): Promise<string | null> {
  if (process.platform !== 'linux') {
    return sendSignal(pid, 0) ? 'unknown' : null;
  }
  const stat = await readStat(pid);
  return stat && stat.state !== 'Z' ? stat.startTime : null;
}

/** Sends a signal; a negative pid means a process group. False when nobody received it. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Fields of `/proc/<pid>/stat`, see proc(5). The name may contain spaces and brackets. */
async function readStat(pid: number) {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null);
  if (text === null) {
    return null;
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0], parent: Number(fields[1]), startTime: fields[19] };
}

/** The nearest marked ancestor decides; a portal inside a workspace keeps its own children. */
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

/** Variable that every process of a workspace carries. */
const MARK_VARIABLE = 'SLIPWAY_WORKSPACE_MARK';

/** The installation and workspace that a process belongs to. */
interface WorkspaceMark {
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
function readMark(environment: string): WorkspaceMark | null {
  const match = new RegExp(
    `(?:^|\\0)${MARK_VARIABLE}=([0-9a-f]+):([^;\\0]+);`,
  ).exec(environment);
  return match ? { installation: match[1], workspaceId: match[2] } : null;
}
