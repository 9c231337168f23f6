import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { readProcess } from './processTable.ts';

/**
 * Identifies a process, as opposed to a later one with the same id: the operating system reuses
 * process ids, but not together with a start time.
 */
export interface ProcessIdentity {
  pid: number;
  /** Opaque; equal only for the same process. */
  startedAt: string;
}

/**
 * Identifies a running process.
 *
 * @returns undefined if not found.
 */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const startTime = startTimeOf(pid);
  return startTime === undefined
    ? undefined
    : { pid, startedAt: `${bootId()}/${startTime}` };
}

/** Checks whether exactly this process is still running. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startedAt === identity.startedAt;
}

/**
 * Returns the start time of a process in digits that are only comparable between processes with the
 * same id since the same boot. Returns undefined if it is not found, or if it has exited and was
 * not yet reaped.
 */
export function startTimeOf(pid: number): string | undefined {
  if (process.platform !== 'linux') {
    return startTimeFromPs(pid);
  }
  const entry = readProcess(pid);
  return entry && !entry.isDead ? entry.startTime : undefined;
}

/**
 * Identifies the namespace of process ids: this boot, and the container. Equal strings mean the
 * same namespace.
 *
 * @returns undefined if the system does not provide it.
 */
export function processNamespace(): string | undefined {
  try {
    return `${bootId()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}

/**
 * Returns an empty string if the system does not provide it; start times are dates in that case.
 */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

function startTimeFromPs(pid: number): string | undefined {
  try {
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return String(Date.parse(started.trim()));
  } catch {
    return undefined;
  }
}
