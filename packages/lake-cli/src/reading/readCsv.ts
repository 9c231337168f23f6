import { createReadStream } from 'node:fs';
import { CsvError, parse } from 'csv-parse';
import { UsageError } from '../UsageError.ts';
import { toContent, type Kind, type Line } from './Line.ts';

/** Names of columns whose cells are no text. */
const BOOLEANS = ['unplanned', 'deleted', 'rollbackOf'];
const NUMBERS = ['sequence'];
const LISTS = ['changes'];

interface Row {
  info: { lines: number; bytes: number };
  record: Record<string, string>;
}

/** What a cell means; what means nothing is left for the lake to refuse by name. */
function cellValue(column: string, cell: string): unknown {
  if (LISTS.includes(column)) {
    return cell.split(/[\s,;]+/).filter(Boolean);
  }
  if (BOOLEANS.includes(column) && (cell === 'true' || cell === 'false')) {
    return cell === 'true';
  }
  return NUMBERS.includes(column) && cell.trim() !== '' ? Number(cell) : cell;
}

/** Makes `{commit: {sha}}` of a column `commit.sha`; an empty cell says nothing. */
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
 * Reads a CSV file (RFC 4180) whose first row names the fields, dotted where they
 * are nested.
 *
 * @throws UsageError where the file is no such thing; rows before that are given.
 */
export async function* readCsv(file: string, kind: Kind): AsyncGenerator<Line> {
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
