import { setTimeout as sleep } from 'node:timers/promises';
import {
  listProcesses,
  type ProcessWithEnvironment,
  sendSignal,
} from '@slipway/processes';

const VARIABLE = 'SLIPWAY_BUILD_MARK';
const MARK = new RegExp(`(?:^|\\0)${VARIABLE}=([^:;\\0]+):(\\d+);`);

/** The build that a process belongs to, and the server process that runs the build. */
export interface BuildMark {
  worker: string;
  buildId: number;
}

/** Returns the variable that identifies every process of a build, even in another session. */
export function markEnvironment({
  worker,
  buildId,
}: BuildMark): Record<string, string> {
  return { [VARIABLE]: `${worker}:${buildId};` };
}

/** Parses a mark from the entries of an environment. */
export function readMark(environment: string): BuildMark | undefined {
  const [, worker, buildId] = MARK.exec(environment) ?? [];
  return worker ? { worker, buildId: Number(buildId) } : undefined;
}

/** A busy machine may take seconds to end killed processes. */
const GIVE_UP_MS = 15_000;
const PAUSE_MS = 25;

/** The processes of a build and their descendants. */
export interface Doomed {
  /** Selects the processes to kill, by their build. */
  isDoomed(mark: BuildMark): boolean;
  /** Sessions led by its commands: their members may have dropped the mark. */
  sessions?: ReadonlySet<number>;
}

/**
 * Kills every process of a build until none is left: its process groups, on all systems,
 * and on systems with `/proc` also processes that carry its mark, belong to one of its
 * sessions, or descend from those. A process that has left its environment, its session
 * and its parent is not found.
 */
export async function killProcesses(doomed: Doomed): Promise<void> {
  for (const session of doomed.sessions ?? []) {
    sendSignal(-session, 'SIGKILL');
  }
  for (const end = Date.now() + GIVE_UP_MS; Date.now() < end;) {
    const found = findDoomed(
      (await listProcesses()).filter(({ isDead }) => !isDead),
      doomed,
    );
    if (found.length === 0) {
      return;
    }
    found.forEach(pid => sendSignal(pid, 'SIGKILL'));
    await sleep(PAUSE_MS);
  }
}

/** Finds the processes to end. @returns their process ids. */
function findDoomed(
  processes: readonly ProcessWithEnvironment[],
  { isDoomed, sessions = new Set() }: Doomed,
): number[] {
  const byPid = new Map(processes.map(entry => [entry.pid, entry]));
  const verdicts = new Map<number, boolean>();
  const judge = (pid: number, depth = 0): boolean => {
    const entry = byPid.get(pid);
    // When a build tests a server, this process is itself a descendant of a build.
    if (!entry || pid === process.pid || pid <= 1 || depth > 1_000) {
      return false;
    }
    const known = verdicts.get(pid);
    if (known !== undefined) {
      return known;
    }
    const mark = readMark(entry.environment);
    const verdict = mark
      ? isDoomed(mark)
      : sessions.has(entry.session) || judge(entry.parent, depth + 1);
    verdicts.set(pid, verdict);
    return verdict;
  };
  return processes.map(({ pid }) => pid).filter(pid => judge(pid));
}
