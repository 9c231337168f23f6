import type { LogLines } from './LogLines';

/** Indices of the lines that hold a text, whatever its case. */
export function findLines(lines: LogLines, text: string): number[] {
  const sought = text.toLowerCase();
  const found: number[] = [];
  if (sought !== '') {
    for (let index = 0; index < lines.count; index += 1) {
      if (lines.textAt(index).toLowerCase().includes(sought)) {
        found.push(index);
      }
    }
  }
  return found;
}
