import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate as others } from 'node:timers/promises';

/** Read in one go: these files are in memory, and that many take about a millisecond. */
const AT_A_TIME = 32;

/** A process as `/proc/<pid>/stat` has it. */
export interface ProcessEntry {
  pid: number;
  parent: number;
  /** Of the leader of its session. */
  session: number;
  /** In a form that only tells two processes of the same pid apart. */
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
