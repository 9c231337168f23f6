import { readdirSync, readFileSync } from 'node:fs';

/**
 * Bytes that a process and all that it started take: its proportional share of what it has
 * in common with others, so that the shares of all processes add up (proc(5), smaps_rollup).
 */
export function readMemory(pid: number): number {
  const children = childrenByParent();
  const bytesUnder = (parent: number): number =>
    shareOf(parent) +
    (children.get(parent) ?? []).reduce(
      (sum, child) => sum + bytesUnder(child),
      0,
    );
  return bytesUnder(pid);
}

function childrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    const stat = read(`/proc/${entry}/stat`);
    // The name before it is in parentheses and may hold spaces.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  return children;
}

function shareOf(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`));
  return Number(kilobytes?.[1] ?? 0) * 1_024;
}

/** Processes end while they are looked at. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
