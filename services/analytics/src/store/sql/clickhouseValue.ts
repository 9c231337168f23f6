import { propertyMaps } from '../propertyMaps.ts';
import type { JournalRow } from '../sqlite/eventRows.ts';
import type { Kind, Value } from '../../query/language/Expression.ts';

/**
 * Writes a value so that it cannot be anything else: text in hexadecimal. Numbers all
 * have one type, since integers and floats have no common type in ClickHouse.
 */
export function clickhouseValue(value: Value, kind?: Kind): string {
  if (typeof value === 'string') {
    return `unhex('${Buffer.from(value).toString('hex')}')`;
  }
  switch (kind) {
    case 'boolean':
      return value === 0 ? '0' : '1';
    case 'number':
      // JavaScript formats a number with only digits, a point, a sign and an exponent.
      return `toFloat64(${Number.isFinite(value) ? value : 0})`;
    default:
      return writeInteger(value);
  }
}

/** Writes texts as one array, whose parts the engine does not parse one by one. */
export function clickhouseTexts(values: readonly string[]): string {
  const json = Buffer.from(JSON.stringify(values)).toString('base64');
  return `JSONExtract(base64Decode('${json}'), 'Array(String)')`;
}

/** Writes milliseconds since the Unix epoch as a time. */
export function clickhouseInstant(milliseconds: number): string {
  return `fromUnixTimestamp64Milli(${writeInteger(milliseconds)}, 'UTC')`;
}

/** Formats a time for JSON lines. */
export function clickhouseTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, -1).replace('T', ' ');
}

function writeInteger(value: number): string {
  return `toInt64(${Number.isFinite(value) ? Math.trunc(value) : 0})`;
}

/**
 * Converts a row of the journal to a line for the events table. The server builds the
 * maps of its properties, unless it would build different ones.
 */
export function toColumns(row: JournalRow, journal: string): object {
  const { maps, timestamp, created_at: createdAt, ...rest } = row;
  return {
    ...rest,
    ...(maps !== null && propertyMaps(row.properties)),
    timestamp: clickhouseTime(timestamp),
    created_at: clickhouseTime(createdAt),
    journal,
  };
}
