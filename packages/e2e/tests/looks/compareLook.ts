import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

/** How far an element may be from where it was, in pixels: versions of browsers round differently. */
const TOLERANCE = 2;

/** A description of a page: lines by section. */
export type Sections = Record<string, readonly string[]>;

const directory = new URL('../../looks/pages/', import.meta.url);

function fileOf(name: string): URL {
  return new URL(`${name}.txt`, directory);
}

/** Reads a stored description; empty if there is none. */
export function readLook(name: string): Sections {
  const file = fileOf(name);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const sections = text.split(/^## /m).filter(Boolean);
  return Object.fromEntries(
    sections.map(section => {
      const [title, ...lines] = section.trimEnd().split('\n');
      return [title, lines.filter(Boolean)];
    }),
  );
}

/** Stores a description. */
export function writeLook(name: string, sections: Sections): void {
  mkdirSync(directory, { recursive: true });
  const text = Object.entries(sections).map(
    ([title, lines]) => `## ${title}\n${lines.join('\n')}\n`,
  );
  writeFileSync(fileOf(name), text.join('\n'));
}

/**
 * Returns a description in which each element that is where it was, give or take
 * {@link TOLERANCE} pixels, is described as in the stored one.
 */
export function snapTo(stored: Sections, found: Sections): Sections {
  return Object.fromEntries(
    Object.entries(found).map(([title, lines]) => [
      title,
      snapLines(stored[title] ?? [], lines),
    ]),
  );
}

function snapLines(
  stored: readonly string[],
  found: readonly string[],
): string[] {
  const waiting = new Map<string, string[]>();
  for (const line of stored) {
    const { label } = parse(line);
    waiting.set(label, [...(waiting.get(label) ?? []), line]);
  }
  return found.map(line => {
    const { label, numbers } = parse(line);
    const before = waiting.get(label)?.shift();
    if (before === undefined) {
      return line;
    }
    const isNear = parse(before).numbers.every(
      (number, index) => Math.abs(number - numbers[index]) <= TOLERANCE,
    );
    return isNear ? before : line;
  });
}

/** Splits a line into the label of an element, and its position and size. */
function parse(line: string): { label: string; numbers: number[] } {
  const [, label, numbers] = /^(.*) (-?\d+,-?\d+ \d+x\d+)$/.exec(line) ?? [];
  return numbers
    ? { label, numbers: numbers.split(/[, x]/).map(Number) }
    : { label: line, numbers: [] };
}
