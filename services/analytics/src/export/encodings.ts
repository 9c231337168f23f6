import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ExportedEvent } from './eventPages.ts';

/** The formats of exports and their media types. */
export const MEDIA_TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
} as const;

export type ExportFormat = keyof typeof MEDIA_TYPES;

type Pages = AsyncIterable<readonly ExportedEvent[]>;

const COLUMNS = [
  'uuid',
  'event',
  'distinct_id',
  'timestamp',
  'created_at',
  'properties',
] as const;

async function* csv(pages: Pages): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  for await (const events of pages) {
    yield events
      .map(event => `${cellsOf(event).map(quote).join(',')}\r\n`)
      .join('');
  }
}

async function* ndjson(pages: Pages): AsyncGenerator<string> {
  for await (const events of pages) {
    yield events.map(event => `${JSON.stringify(event)}\n`).join('');
  }
}

/** Writes one row group per page. */
async function* parquet(pages: Pages): AsyncGenerator<Uint8Array> {
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    schema: [
      { name: 'root', num_children: COLUMNS.length },
      text('uuid'),
      text('event'),
      { ...text('distinct_id'), repetition_type: 'OPTIONAL' },
      moment('timestamp'),
      moment('created_at'),
      { ...text('properties'), converted_type: 'JSON' },
    ],
  });
  const written = () => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  };
  for await (const events of pages) {
    await file.write({
      columnData: COLUMNS.map(name => ({
        name,
        data: events.map(event => parquetCell(event, name)),
      })),
      rowGroupSize: events.length,
    });
    yield written();
  }
  await file.finish();
  yield written();
}

const ENCODERS = { csv, ndjson, parquet } satisfies Record<
  ExportFormat,
  (pages: Pages) => AsyncGenerator<string | Uint8Array>
>;

/** Writes events in a format, one chunk per page. */
export function encode(
  pages: Pages,
  format: ExportFormat,
): AsyncGenerator<string | Uint8Array> {
  return ENCODERS[format](pages);
}

function text(name: string) {
  return {
    name,
    type: 'BYTE_ARRAY',
    converted_type: 'UTF8',
    repetition_type: 'REQUIRED',
  } as const;
}

function moment(name: string) {
  return {
    name,
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    repetition_type: 'REQUIRED',
  } as const;
}

function parquetCell(event: ExportedEvent, name: (typeof COLUMNS)[number]) {
  const isMoment = name === 'timestamp' || name === 'created_at';
  return isMoment ? new Date(event[name]) : event[name];
}

function cellsOf(event: ExportedEvent): string[] {
  return COLUMNS.map(name =>
    name === 'properties' ? JSON.stringify(event[name]) : (event[name] ?? ''),
  );
}

/**
 * Quotes a cell according to RFC 4180, and escapes formulas so that spreadsheets show them
 * as plain text.
 */
function quote(cell: string): string {
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
