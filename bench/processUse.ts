import { readFileSync } from 'node:fs';
import { processIds, readProcess } from '@slipway/processes';

/** The kernel's unit of processor time, in ticks per second, on all Linux systems. */
const TICKS = 100;

/** Returns the processor time of a process and of its ended children, in milliseconds. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name before it is in parentheses and may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).map(Number);
  return (ticks.reduce((sum, each) => sum + each, 0) * 1_000) / TICKS;
}

/** Returns the highest resident memory of a process so far, in MiB. */
export function peakMiB(pid: number): number {
  return kibibytes(readFileSync(`/proc/${pid}/status`, 'utf8'), 'VmHWM') / 1024;
}

/** Returns the resident memory of the descendants of a process, in MiB. */
export function descendantsMiB(pid: number): number {
  return (
    sumOfTree(pid, each =>
      each === pid ? 0 : kibibytes(read(`/proc/${each}/status`), 'VmRSS'),
    ) / 1024
  );
}

/**
 * Returns the memory of a process and its descendants in bytes: the proportional set size,
 * so that the sizes of all processes add up (proc(5), smaps_rollup).
 */
export function treeBytes(pid: number): number {
  return (
    sumOfTree(pid, each =>
      kibibytes(read(`/proc/${each}/smaps_rollup`), 'Pss'),
    ) * 1024
  );
}

/** Adds up the use of a process and all of its descendants. */
function sumOfTree(root: number, useOf: (pid: number) => number): number {
  const children = Map.groupBy(
    processIds().flatMap(pid => readProcess(pid) ?? []),
    ({ parent }) => parent,
  );
  const sumFrom = (pid: number): number =>
    (children.get(pid) ?? []).reduce(
      (sum, child) => sum + sumFrom(child.pid),
      useOf(pid),
    );
  return sumFrom(root);
}

/** Returns a size in a file of `/proc`, in KiB; 0 if it is not there. */
function kibibytes(text: string, name: string): number {
  const [, size] = new RegExp(`^${name}:\\s+(\\d{1,15})`, 'm').exec(text) ?? [];
  return Number(size ?? 0);
}

/** Returns an empty text if the process has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
