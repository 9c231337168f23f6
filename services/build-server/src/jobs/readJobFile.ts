import {
  type Document,
  isMap,
  isNode,
  isPair,
  isSeq,
  LineCounter,
  parseDocument,
} from 'yaml';
import { checkJob, type JobRules } from './checkJob.ts';
import type { Job } from './Job.ts';

/** Something wrong with a job file. */
export interface JobFault {
  /** A sentence for people, which begins with the key at fault. */
  message: string;
  /** From 1; where the key or the nearest one around it stands. */
  line: number;
  column: number;
}

/** A time in which a parser of what somebody pushed is done: it looks for equal keys in quadratic time. */
const MAX_BYTES = 65_536;

/**
 * Reads a job file: YAML 1.2 of one document, checked against the schema and the rules.
 *
 * @returns the job, or everything that is wrong with the file.
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
  const document = parseDocument(text, { lineCounter: lines });
  const malformed = [...document.errors, ...document.warnings];
  if (document.directives?.yaml.explicit) {
    const message = 'The file must have no %YAML directive: it is YAML 1.2';
    return { faults: [{ message, ...begin }] };
  }
  if (malformed.length > 0) {
    return {
      faults: malformed.map(({ message, pos }) => ({
        message: message.split('\n')[0].split(' at line ')[0],
        ...placeOf(lines, pos[0]),
      })),
    };
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    return { faults: [{ message: (error as Error).message, ...begin }] };
  }
  const checked = checkJob(value, rules);
  if ('job' in checked) {
    return checked;
  }
  const { name } = (value ?? {}) as { name?: unknown };
  return {
    name: typeof name === 'string' ? name : undefined,
    faults: checked.faults.map(({ at, message }) => ({
      message,
      ...placeOf(lines, offsetOf(document, at)),
    })),
  };
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
