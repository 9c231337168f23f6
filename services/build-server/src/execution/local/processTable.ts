import { readdir, readFile } from 'node:fs/promises';

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
  const entries = await Promise.all(
    names.filter(name => /^\d+$/.test(name)).map(readProcess),
  );
  return entries.flatMap(entry => entry ?? []);
}

/** When a process started; undefined when there is none or it is dead. */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') {
    return sendSignal(pid, 0) ? 'unknown' : undefined;
  }
  return (await readStat(String(pid)))?.startTime;
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

async function readProcess(pid: string): Promise<ProcessEntry | undefined> {
  const stat = await readStat(pid);
  if (!stat) {
    return undefined;
  }
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(
    () => '',
  );
  return { pid: Number(pid), ...stat, environment };
}

/** Fields of proc(5). The name, in brackets, may hold spaces and brackets. */
async function readStat(
  pid: string,
): Promise<{ parent: number; session: number; startTime: string } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
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
