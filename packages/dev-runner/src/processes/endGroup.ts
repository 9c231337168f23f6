import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;

/**
 * Ends every process of a group: SIGTERM, then SIGKILL for what is left after
 * `graceMs` milliseconds. Resolves when the group is gone.
 */
export async function endGroup(
  groupId: number,
  options: { graceMs: number },
): Promise<void> {
  const deadline = Date.now() + options.graceMs;
  signalGroup(groupId, 'SIGTERM');
  while (isGroupAlive(groupId) && Date.now() < deadline) {
    await sleep(POLL_MS);
  }
  signalGroup(groupId, 'SIGKILL');
}

function isGroupAlive(groupId: number): boolean {
  return signalGroup(groupId, 0);
}

function signalGroup(groupId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-groupId, signal);
    return true;
  } catch {
    return false;
  }
}
