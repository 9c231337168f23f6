import { readFileSync } from 'node:fs';

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
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes] = /^VmHWM:\s+(\d{1,15})/m.exec(status) ?? [];
  return Number(kilobytes) / 1_024;
}
