import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { readProcess } from './processTable.ts';

/**
 * A process, told apart from a later one that was given the same id: the
 * operating system reuses process ids, but not together with a start time.
 */
export interface ProcessIdentity {
  pid: number;
  /** Opaque; equal for the same process only. */
  startedAt: string;
}

/** Identifies a running process; undefined when there is none by that id. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const startTime = startTimeOf(pid);
  return startTime === undefined
    ? undefined
    : { pid, startedAt: `${bootId()}/${startTime}` };
}

/** Tells whether that very process still runs. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startedAt === identity.startedAt;
}

/**
 * Tells when a process started, in digits that only tell two processes of one boot and one
 * id apart. Undefined when there is none, or it has ended and waits for its parent.
 */
export function startTimeOf(pid: number): string | undefined {
  if (process.platform !== 'linux') {
    return startTimeFromPs(pid);
  }
  const entry = readProcess(pid);
  return entry && !entry.isDead ? entry.startTime : undefined;
}

/**
 * Names where process ids count: this boot, and the container. Equal texts mean the same
 * place; undefined where the system does not tell.
 */
export function processNamespace(): string | undefined {
  try {
    return `${bootId()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}

/** Empty where the system does not tell, and a start time is a date anyway. */
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
