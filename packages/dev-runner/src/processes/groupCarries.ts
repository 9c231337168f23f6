import { readdirSync, readFileSync } from 'node:fs';

/**
 * Whether a process of the group was started with that very environment
 * variable, which it has from whoever started the group. Known on Linux only;
 * elsewhere the answer is no.
 *
 * @param variable - name and value, as in `NAME=value`
 */
export function groupCarries(groupId: number, variable: string): boolean {
  return processIds()
    .filter(pid => groupOf(pid) === groupId)
    .some(pid => read(`/proc/${pid}/environ`).split('\0').includes(variable));
}

/** proc(5): the group is field 5 of stat, the third after the name in parentheses. */
function groupOf(pid: string): number {
  const stat = read(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
}

function processIds(): string[] {
  try {
    return readdirSync('/proc').filter(entry => /^\d+$/.test(entry));
  } catch {
    return [];
  }
}

/** Processes end while they are read, and those of others stay closed. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
