import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate as others } from 'node:timers/promises';

/** A process as described by Linux in `/proc/<pid>/stat`. */
export interface ProcessEntry {
  pid: number;
  /** Process id of its parent. */
  parent: number;
  /** Process id of the leader of its group. */
  group: number;
  /** Process id of the leader of its session. */
  session: number;
  /** Clock ticks between boot and its start, as decimal digits. */
  startTime: string;
  /** True if it has exited and was not yet reaped by its parent. */
  isDead: boolean;
}

/** A process and its environment, see {@link readEnvironment}. */
export interface ProcessWithEnvironment extends ProcessEntry {
  environment: string;
}

/**
 * Reads an entry of the process table, see proc(5).
 *
 * @returns undefined if the process is not found, or there is no `/proc`.
 */
export function readProcess(pid: number): ProcessEntry | undefined {
  const text = readProc(pid, 'stat');
  // The program name in parentheses may itself contain spaces and parentheses.
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
 * Reads the environment that a process was started with: `NAME=value` entries, each terminated by
 * U+0000. Empty if not readable.
 */
export function readEnvironment(pid: number): string {
  return readProc(pid, 'environ');
}

const PAGE_BYTES = 4096;

/**
 * Returns the resident memory of a process that it shares with no file or other process, in bytes;
 * see statm in proc(5). 0 if the process is not found.
 */
export function privateMemory(pid: number): number {
  const text = readProc(pid, 'statm');
  const [, resident = 0, shared = 0] = text.split(' ').map(Number);
  return Math.max(0, resident - shared) * PAGE_BYTES;
}

/** Lists the ids of all processes; empty if there is no `/proc`. */
export function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/**
 * Number of entries read in one batch: these files are in memory, and a batch takes about a
 * millisecond.
 */
const AT_A_TIME = 32;

/**
 * Lists all processes of this machine, including zombies, with their environments. Empty if there
 * is no `/proc`.
 *
 * @param options.since - leaves out processes that started before this
 * {@link ProcessEntry.startTime}. A descendant never starts before its ancestor.
 */
export async function listProcesses({
  since = '0',
}: { since?: string } = {}): Promise<ProcessWithEnvironment[]> {
  const first = Number(since);
  return readAll(pid => {
    const entry = readProcess(pid);
    return entry && Number(entry.startTime) >= first
      ? { ...entry, environment: readEnvironment(pid) }
      : undefined;
  });
}

/**
 * Returns the environments of all processes on this machine; see {@link readEnvironment}. Takes half as
 * long as {@link listProcesses}.
 */
export function listEnvironments(): Promise<string[]> {
  return readAll(pid => readEnvironment(pid) || undefined);
}

async function readAll<T>(read: (pid: number) => T | undefined): Promise<T[]> {
  const pids = processIds();
  const entries: T[] = [];
  // Read synchronously: hundreds of files in the thread pool would delay other file access.
  for (let start = 0; start < pids.length; start += AT_A_TIME) {
    for (const pid of pids.slice(start, start + AT_A_TIME)) {
      const entry = read(pid);
      if (entry !== undefined) {
        entries.push(entry);
      }
    }
    await others();
  }
  return entries;
}

/** Reads a file; empty if the process has exited or belongs to another user. */
function readProc(pid: number, file: 'stat' | 'statm' | 'environ'): string {
  try {
    // Node.js allocates 64 KiB for each such file in any other encoding.
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
