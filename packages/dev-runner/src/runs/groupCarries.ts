import { processIds, readEnvironment, readProcess } from '@slipway/processes';

/**
 * Tells whether a process of the group was started with that very environment
 * variable, which it has from whoever started the group. Known on Linux only;
 * elsewhere the answer is no.
 *
 * @param variable - name and value, as in `NAME=value`
 */
export function groupCarries(groupId: number, variable: string): boolean {
  return processIds()
    .filter(pid => readProcess(pid)?.group === groupId)
    .some(pid => readEnvironment(pid).split('\0').includes(variable));
}
