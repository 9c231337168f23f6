import { isJsonObject } from '@slipway/service-kit';
import { createReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { gunzipSync, createGunzip } from 'node:zlib';

/** A row of an export. */
export interface ExportRow {
  /** The number of the line, or of the row in a file that is one JSON document; counted from 1. */
  readonly line: number;
  /** Undefined if the line is not a JSON object. */
  readonly value: Record<string, unknown> | undefined;
}

/** Maximum bytes of a file that is one JSON document, which is read as a whole. */
const LARGEST_DOCUMENT = 256 * 1024 * 1024;

/**
 * Reads the rows of an export: one JSON object per line, or pages of PostHog's API
 * (`{"results": […]}`, one per line or one per file), perhaps compressed with gzip.
 * @throws if a document is too large.
 */
export async function* readExport(file: string): AsyncGenerator<ExportRow> {
  const isGzip = await isCompressed(file);
  let line = 0;
  for await (const text of linesOf(file, isGzip)) {
    line += 1;
    if (text.trim() === '') {
      continue;
    }
    const value = parse(text);
    if (line === 1 && value === undefined) {
      const document = parse(await readWhole(file, isGzip));
      if (document !== undefined) {
        yield* rowsOf(document).map((row, index) => ({
          line: index + 1,
          value: row,
        }));
        return;
      }
    }
    for (const row of rowsOf(value)) {
      yield { line, value: row };
    }
  }
}

async function isCompressed(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}

/** Splits a file at line feeds only: texts may contain other line separators. */
async function* linesOf(file: string, isGzip: boolean): AsyncGenerator<string> {
  const stream = createReadStream(file);
  const bytes = isGzip
    ? pipeline(stream, createGunzip(), () => undefined)
    : stream;
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
  yield rest + decoder.decode();
}

async function readWhole(file: string, isGzip: boolean): Promise<string> {
  const { size } = await stat(file);
  if (size > LARGEST_DOCUMENT) {
    throw new Error(
      `${file} is one JSON document of more than ${LARGEST_DOCUMENT} bytes: write one event per line, e.g. with jq -c '.results[]'`,
    );
  }
  const content = await readFile(file);
  return (
    isGzip
      ? gunzipSync(content, { maxOutputLength: LARGEST_DOCUMENT })
      : content
  ).toString('utf8');
}

function rowsOf(value: unknown): (Record<string, unknown> | undefined)[] {
  const results = isJsonObject(value) ? value.results : value;
  return Array.isArray(results) ? results.map(objectOf) : [objectOf(value)];
}

function objectOf(value: unknown): Record<string, unknown> | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** Parses JSON; undefined if it is invalid. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
