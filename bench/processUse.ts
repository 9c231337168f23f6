import { readFileSync } from 'node:fs';
import { processIds, readProcess } from '@slipway/processes';

/** Ticks of processor time per second, which is the same on all Linux systems. */
const TICKS = 100;

/** Returns the processor time of a process and of its ended children, in milliseconds. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // Skips the process name, which is in parentheses and may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).map(Number);
  return (ticks.reduce((sum, each) => sum + each, 0) * 1_000) / TICKS;
}

/** Returns the peak resident memory of a process so far, in MiB. */
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
 * Returns the memory of a process and its descendants, in bytes. Uses the proportional set
 * size, so that the sizes of all processes add up (proc(5), smaps_rollup).
 */
export function treeBytes(pid: number): number {
  return (
    sumOfTree(pid, each =>
      kibibytes(read(`/proc/${each}/smaps_rollup`), 'Pss'),
    ) * 1024
  );
}

/** Returns the sum of `useOf` for a process and all of its descendants. */
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

/** Returns the size with this name in the text of a `/proc` file, in KiB; 0 if it is missing. */
function kibibytes(text: string, name: string): number {
  const [, size] = new RegExp(`^${name}:\\s+(\\d{1,15})`, 'm').exec(text) ?? [];
  return Number(size ?? 0);
}

/** Reads a `/proc` file; returns an empty text if the process has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
