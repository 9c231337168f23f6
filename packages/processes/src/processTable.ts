import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate as others } from 'node:timers/promises';

/** A process as `/proc/<pid>/stat` of Linux has it. */
export interface ProcessEntry {
  pid: number;
  /** Process id of its parent. */
  parent: number;
  /** Process id of the leader of its group. */
  group: number;
  /** Process id of the leader of its session. */
  session: number;
  /** Clock ticks from the boot to its start, as text. */
  startTime: string;
  /** It has ended, and its parent has not yet asked how. */
  isDead: boolean;
}

/** A process and its environment, see {@link readEnvironment}. */
export interface ProcessWithEnvironment extends ProcessEntry {
  environment: string;
}

/**
 * Reads an entry of the process table, see proc(5).
 *
 * @returns undefined when there is no such process, or no `/proc`.
 */
export function readProcess(pid: number): ProcessEntry | undefined {
  const text = readProc(pid, 'stat');
  // The name of the program, in brackets, may hold spaces and brackets.
  const [state, parent, group, session, ...rest] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ');
  if (!state) {
    return undefined;
  }
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTime: rest[15],
    isDead: state === 'Z' || state === 'X',
  };
}

/**
 * Reads the environment that a process was started with: `NAME=value` entries, each ended
 * by U+0000. Empty where it is not readable.
 */
export function readEnvironment(pid: number): string {
  return readProc(pid, 'environ');
}

/** Lists the ids of all processes; empty where there is no `/proc`. */
export function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** Entries read in one go: these files are in memory, and that many take about a millisecond. */
const AT_A_TIME = 32;

/**
 * Lists all processes of this machine, the dead ones among them, with their environments.
 * Empty where there is no `/proc`.
 */
export async function listProcesses(): Promise<ProcessWithEnvironment[]> {
  const pids = processIds();
  const entries: ProcessWithEnvironment[] = [];
  // Asked of the thread pool, hundreds of files would keep other files waiting.
  for (let start = 0; start < pids.length; start += AT_A_TIME) {
    for (const pid of pids.slice(start, start + AT_A_TIME)) {
      const entry = readProcess(pid);
      if (entry) {
        entries.push({ ...entry, environment: readEnvironment(pid) });
      }
    }
    await others();
  }
  return entries;
}

/** Empty where the process has ended or belongs to somebody else. */
function readProc(pid: number, file: 'stat' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
