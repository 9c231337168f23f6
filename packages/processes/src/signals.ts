import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;

/**
 * Sends a signal to a process; a negative id means a process group, and the signal 0 only
 * asks.
 *
 * @returns whether somebody received it.
 */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Tells whether there is a process by that id, be it somebody else's. */
export function isReachable(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Ends every process of a group: SIGTERM, then SIGKILL for what is left after
 * `graceMs` milliseconds. Resolves when the group is gone.
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
