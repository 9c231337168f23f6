import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A process, told apart from a later one that was given the same id: the
 * operating system reuses process ids, but not together with a start time.
 */
export interface ProcessIdentity {
  pid: number;
  /** Opaque; equal for the same process only. */
  startedAt: string;
}

/** The identity of a running process, undefined when there is none by that id. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const startedAt =
    process.platform === 'linux'
      ? startTimeFromProc(pid)
      : startTimeFromPs(pid);
  return startedAt ? { pid, startedAt } : undefined;
}

/** Whether that very process still runs. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startedAt === identity.startedAt;
}

/**
 * proc(5): field 22 of stat is the start in clock ticks since boot. The program
 * name before it is in parentheses and may hold spaces, so fields are counted
 * from the last one: state is field 3. A zombie has ended, whatever its entry says.
 */
function startTimeFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') {
      return undefined;
    }
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${fields[19]}`;
  } catch {
    return undefined;
  }
}

function startTimeFromPs(pid: number): string | undefined {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}
