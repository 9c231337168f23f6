import {
  listProcesses,
  type ProcessWithEnvironment,
  sendSignal,
} from '@slipway/processes';
import { setTimeout as sleep } from 'node:timers/promises';

const VARIABLE = 'SLIPWAY_BUILD_MARK';
const MARK = new RegExp(`(?:^|\\0)${VARIABLE}=([^:;\\0]+):(\\d+);`);

/** The build that a process belongs to, and the server process that runs the build. */
export interface BuildMark {
  worker: string;
  buildId: number;
}

/** The variable that every process of a build carries, wherever it moved to. */
export function markEnvironment({
  worker,
  buildId,
}: BuildMark): Record<string, string> {
  return { [VARIABLE]: `${worker}:${buildId};` };
}

/** Reads a mark back from the entries of an environment. */
export function readMark(environment: string): BuildMark | undefined {
  const [, worker, buildId] = MARK.exec(environment) ?? [];
  return worker ? { worker, buildId: Number(buildId) } : undefined;
}

/** A busy machine may take seconds to end what was killed. */
const GIVE_UP_MS = 15_000;
const PAUSE_MS = 25;

/** What a build started, and what that started. */
export interface Doomed {
  /** Chooses the processes to kill, by the build that they belong to. */
  isDoomed(mark: BuildMark): boolean;
  /** Sessions that its commands lead: their members may have dropped the mark. */
  sessions?: ReadonlySet<number>;
}

/**
 * Kills every process of a build until none is left: its process groups, which all
 * systems have, and where there is a `/proc` whatever carries its mark, is in one of its
 * sessions or descends from those. A process that has dropped its environment, its
 * session and its parent is not found.
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

/** @returns their process ids. */
function findDoomed(
  processes: readonly ProcessWithEnvironment[],
  { isDoomed, sessions = new Set() }: Doomed,
): number[] {
  const byPid = new Map(processes.map(entry => [entry.pid, entry]));
  const verdicts = new Map<number, boolean>();
  const judge = (pid: number, depth = 0): boolean => {
    const entry = byPid.get(pid);
    // This process descends from a build where a server is tested by one.
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
