import { writeFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/**
 * Lowers the priority of a process, and of those that it starts from now on, so that all others get
 * CPU time first. Does nothing if the system refuses.
 *
 * @param pid - the leader of its own session.
 * @param by - added to the niceness of this process; the lowest priority is 19.
 */
export function lowerPriority(pid: number, by: number): void {
  const lowest = constants.priority.PRIORITY_LOW;
  const niceness = Math.min(lowest, Math.max(0, getPriority()) + by);
  const attempts = [
    () => setPriority(pid, niceness),
    // Linux may first divide CPU time among sessions, see autogroups in sched(7).
    () =>
      writeFileSync(`/proc/${pid}/autogroup`, String(niceness), {
        flag: 'r+',
      }),
  ];
  for (const attempt of attempts) {
    try {
      attempt();
    } catch {
      // The process may have ended, or this system has no such priority.
    }
  }
}
