import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import {
  setImmediate as others,
  setTimeout as sleep,
} from 'node:timers/promises';

/** Read in one go: these files are in memory, and that many take about a millisecond. */
const AT_A_TIME = 32;

/** A process as `/proc/<pid>/stat` has it. */
export interface ProcessEntry {
  pid: number;
  parent: number;
  /** The pid of the leader of its session. */
  session: number;
  /** The time at which it started, in clock ticks as the kernel counts them: it tells apart processes that had the same pid. */
  startTime: string;
  /** `NAME=value` entries, each ended by U+0000; empty where it is not readable. */
  environment: string;
}

/** Every living process of this machine; empty where there is no `/proc`. */
export async function listProcesses(): Promise<ProcessEntry[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter(name => /^\d+$/.test(name));
  const entries: ProcessEntry[] = [];
  // Asked of the thread pool, hundreds of files would keep logs and directories waiting.
  for (let start = 0; start < pids.length; start += AT_A_TIME) {
    const some = pids.slice(start, start + AT_A_TIME);
    entries.push(...some.flatMap(pid => readProcess(pid) ?? []));
    await others();
  }
  return entries;
}

/** When a process started; undefined when there is none or it is dead. */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') {
    return sendSignal(pid, 0) ? 'unknown' : undefined;
  }
  return readStat(String(pid))?.startTime;
}

/** Sends a signal; a negative pid means a process group. @returns whether somebody received it. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

function readProcess(pid: string): ProcessEntry | undefined {
  const stat = readStat(pid);
  return (
    stat && {
      pid: Number(pid),
      ...stat,
      environment: readProc(pid, 'environ'),
    }
  );
}

/** Fields of proc(5). The name, in brackets, may hold spaces and brackets. */
function readStat(
  pid: string,
): { parent: number; session: number; startTime: string } | undefined {
  const text = readProc(pid, 'stat');
  const [state, parent, , session, ...rest] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ');
  return state && state !== 'Z' && state !== 'X'
    ? {
        parent: Number(parent),
        session: Number(session),
        startTime: rest[15],
      }
    : undefined;
}

/** Empty where the process has ended or is somebody else's. */
function readProc(pid: string, file: 'stat' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

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
    const found = findDoomed(await listProcesses(), doomed);
    if (found.length === 0) {
      return;
    }
    found.forEach(pid => sendSignal(pid, 'SIGKILL'));
    await sleep(PAUSE_MS);
  }
}

/** @returns their process ids. */
function findDoomed(
  processes: readonly ProcessEntry[],
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
