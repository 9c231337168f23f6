import {
  type Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml';
import { checkJob, type JobRules } from './checkJob.ts';
import type { Job } from './Job.ts';

/** A fault in a job file. */
export interface JobFault {
  /** A sentence for people, which begins with the invalid key. */
  message: string;
  /** Line of the key or of its nearest parent, from 1. */
  line: number;
  column: number;
}

/** Maximum size of a file, which limits the time to parse untrusted ones. */
const MAX_BYTES = 65_536;
/** Maximum number of reported faults; further ones would not help. */
const MAX_FAULTS = 50;
/** Maximum characters of a message, because it may contain long keys and values. */
const MAX_MESSAGE = 500;

/**
 * Reads a job file: a single YAML 1.2 document, checked against the schema and the rules.
 *
 * @returns the job, or all faults of the file.
 */
export function readJobFile(
  text: string,
  rules: JobRules,
): { job: Job } | { faults: JobFault[]; name?: string } {
  const begin = { line: 1, column: 1 };
  if (Buffer.byteLength(text) > MAX_BYTES) {
    const message = `The file is larger than ${MAX_BYTES} bytes`;
    return { faults: [{ message, ...begin }] };
  }
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    // The parser's own check compares every key with all others.
    uniqueKeys: false,
    prettyErrors: false,
  });
  const malformed = [...document.errors, ...document.warnings];
  if (document.directives?.yaml.explicit) {
    const message = 'The file must have no %YAML directive: it is YAML 1.2';
    return { faults: [{ message, ...begin }] };
  }
  const found = [...malformed, ...repeatedKeys(document)].map(
    ({ message, pos }) => ({
      message: message.split('\n')[0].split(' at line ')[0],
      ...placeOf(lines, pos[0]),
    }),
  );
  if (malformed.length > 0) {
    return { faults: bounded(found) };
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    return { faults: [{ message: (error as Error).message, ...begin }] };
  }
  const checked = checkJob(value, rules);
  if ('job' in checked && found.length === 0) {
    return checked;
  }
  const { name } = (value ?? {}) as { name?: unknown };
  return {
    name: typeof name === 'string' ? name : undefined,
    faults: bounded([
      ...found,
      ...('faults' in checked ? checked.faults : []).map(({ at, message }) => ({
        message,
        ...placeOf(lines, offsetOf(document, at)),
      })),
    ]),
  };
}

function bounded(faults: readonly JobFault[]): JobFault[] {
  return faults
    .slice(0, MAX_FAULTS)
    .map(fault => ({ ...fault, message: fault.message.slice(0, MAX_MESSAGE) }));
}

/** Returns faults in the order of their places in the file. */
export function inOrder(faults: readonly JobFault[]): JobFault[] {
  return [...faults].sort(
    (one, other) => one.line - other.line || one.column - other.column,
  );
}

/** Returns a text that says how many further faults there are; empty if there are none. */
export function countOf({ length }: readonly JobFault[]): string {
  return length > 0
    ? ` (and ${length} more ${length === 1 ? 'fault' : 'faults'})`
    : '';
}

/** Finds keys that are repeated in a mapping, each at its second occurrence. */
function repeatedKeys(
  document: Document,
): { message: string; pos: [number, number] }[] {
  const found: { message: string; pos: [number, number] }[] = [];
  visit(document, {
    Map(_position, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (isScalar(key) && key.value !== '<<') {
          if (keys.has(key.value)) {
            const [at = 0] = key.range ?? [];
            found.push({ message: 'Map keys must be unique', pos: [at, at] });
          }
          keys.add(key.value);
        }
      }
    },
  });
  return found;
}

function placeOf(
  lines: LineCounter,
  offset: number,
): { line: number; column: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

/** Finds the offset of a dotted path in a document, or that of its nearest parent. */
function offsetOf(document: Document, at: string): number {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const name of at.split('.').filter(Boolean)) {
    if (isMap(node)) {
      const pair = node.items.find(
        ({ key }) => isNode(key) && String(key) === name,
      );
      if (!isPair(pair)) {
        return offset;
      }
      offset = isNode(pair.key) ? (pair.key.range?.[0] ?? offset) : offset;
      node = pair.value;
    } else if (isSeq(node) && isNode(node.items[Number(name)])) {
      node = node.items[Number(name)];
      offset = isNode(node) ? (node.range?.[0] ?? offset) : offset;
    } else {
      return offset;
    }
  }
  return offset;
}
