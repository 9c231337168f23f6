import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;

/**
 * Sends a signal to a process, or to a process group if the id is negative; signal 0 only checks.
 *
 * @returns whether a process received it.
 */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Checks whether a process with this id exists, even if it belongs to another user. */
export function isReachable(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Ends all processes of a group: SIGTERM, then SIGKILL for those left after `graceMs` milliseconds.
 * Resolves when the group is gone.
 */
export async function endGroup(
  groupId: number,
  options: { graceMs: number },
): Promise<void> {
  const deadline = Date.now() + options.graceMs;
  sendSignal(-groupId, 'SIGTERM');
  while (sendSignal(-groupId, 0) && Date.now() < deadline) {
    await sleep(POLL_MS);
  }
  sendSignal(-groupId, 'SIGKILL');
}
