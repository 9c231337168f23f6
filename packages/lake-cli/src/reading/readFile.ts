import path from 'node:path';
import { UsageError } from '../UsageError.ts';
import type { Kind, Line } from './Line.ts';
import { readCsv } from './readCsv.ts';
import { readNdjson } from './readNdjson.ts';

/** Reads a file in the format that its name says. @throws UsageError for any other. */
export function readFile(file: string, kind: Kind): AsyncGenerator<Line> {
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
