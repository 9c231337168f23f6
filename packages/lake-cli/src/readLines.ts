import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { CsvError, parse } from 'csv-parse';
import { type Kind, KINDS, UsageError } from './arguments.ts';

/** An item of a file, or the reason why it could not be read. */
export interface Line {
  /** The line on which the item ends, starting with 1. */
  line: number;
  /** Length of the file up to the end of the item, in bytes. */
  bytes: number;
  content:
    | { kind: Kind; item: Record<string, unknown> }
    | { error: string; field?: string; item: unknown };
}

function isKind(value: unknown): value is Kind {
  return KINDS.some(kind => kind === value);
}

/**
 * Separates an item from its kind.
 *
 * @param fallback - the kind of an item that does not specify one.
 */
function toContent(
  value: Record<string, unknown>,
  fallback: Kind,
): Line['content'] {
  const { kind = fallback, ...item } = value;
  return isKind(kind)
    ? { kind, item }
    : {
        error: `kind must be one of ${KINDS.join(', ')}`,
        field: 'kind',
        item: value,
      };
}

/** Columns whose cells are not strings. */
const BOOLEANS = ['unplanned', 'deleted', 'rollbackOf'];
const NUMBERS = ['sequence'];
const LISTS = ['changes'];

interface Row {
  info: { lines: number; bytes: number };
  record: Record<string, string>;
}

/** Parses a cell. Invalid values are kept, so that the lake rejects them and names the field. */
function cellValue(column: string, cell: string): unknown {
  if (LISTS.includes(column)) {
    return cell.split(/[\s,;]+/).filter(Boolean);
  }
  if (BOOLEANS.includes(column) && (cell === 'true' || cell === 'false')) {
    return cell === 'true';
  }
  return NUMBERS.includes(column) && cell.trim() !== '' ? Number(cell) : cell;
}

/**
 * Converts a row to an item: a column `commit.sha` becomes `{commit: {sha}}`, and empty cells are
 * omitted.
 */
function toItem(record: Record<string, string>): Record<string, unknown> {
  const item: Record<string, unknown> = {};
  for (const [column, cell] of Object.entries(record)) {
    if (cell !== '') {
      const [field, member] = column.split('.', 2);
      item[field] =
        member === undefined
          ? cellValue(column, cell)
          : Object.assign(item[field] ?? {}, {
              [member]: cellValue(column, cell),
            });
    }
  }
  return item;
}

/**
 * Reads a CSV file (RFC 4180) whose first row names the fields, dotted if they are nested.
 *
 * @throws UsageError if the file is malformed; the rows before the error are yielded.
 */
async function* readCsv(file: string, kind: Kind): AsyncGenerator<Line> {
  const source = createReadStream(file);
  const rows = source.pipe(
    parse({ bom: true, columns: true, info: true, skip_empty_lines: true }),
  );
  source.once('error', error => rows.destroy(error));
  try {
    for await (const row of rows) {
      const { info, record } = row as Row;
      yield {
        line: info.lines,
        bytes: info.bytes,
        content: toContent(toItem(record), kind),
      };
    }
  } catch (error) {
    throw error instanceof CsvError
      ? new UsageError(`${file} is not CSV: ${error.message}`)
      : error;
  } finally {
    source.destroy();
  }
}

const BYTE_ORDER_MARK = '\uFEFF';

function parseLine(text: string, kind: Kind): Line['content'] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { error: 'The line is not JSON', item: text };
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? toContent({ ...value }, kind)
    : { error: 'The line is not a JSON object', item: value };
}

/** Reads a file with one JSON object per line, holding only a few of them in memory at a time. */
async function* readNdjson(file: string, kind: Kind): AsyncGenerator<Line> {
  const lines = createInterface({
    input: createReadStream(file),
    crlfDelay: Infinity,
  });
  let line = 0;
  let bytes = 0;
  for await (const text of lines) {
    line += 1;
    bytes += Buffer.byteLength(text) + 1;
    const trimmed = text.replace(BYTE_ORDER_MARK, '').trim();
    if (trimmed) {
      yield { line, bytes, content: parseLine(trimmed, kind) };
    }
  }
}

/**
 * Reads a file in the format given by its extension.
 *
 * @throws UsageError for an unknown extension.
 */
export function readLines(file: string, kind: Kind): AsyncGenerator<Line> {
  switch (path.extname(file).toLowerCase()) {
    case '.csv':
      return readCsv(file, kind);
    case '.ndjson':
    case '.jsonl':
      return readNdjson(file, kind);
    default:
      throw new UsageError(
        `${file} must end in .ndjson, .jsonl or .csv, so that its format is known`,
      );
  }
}
