import { propertyMaps } from '../propertyMaps.ts';
import type { JournalRow } from '../sqlite/eventRows.ts';
import type { Kind, Value } from '../../query/language/Expression.ts';

/**
 * Writes a value so that it cannot be parsed as SQL: text is in hexadecimal. All numbers
 * have one type, since ClickHouse has no common type for integers and floats.
 */
export function clickhouseValue(value: Value, kind?: Kind): string {
  if (typeof value === 'string') {
    return `unhex('${Buffer.from(value).toString('hex')}')`;
  }
  switch (kind) {
    case 'boolean':
      return value === 0 ? '0' : '1';
    case 'number':
      // JavaScript formats numbers using only digits, a point, signs and an exponent.
      return `toFloat64(${Number.isFinite(value) ? value : 0})`;
    default:
      return writeInteger(value);
  }
}

/**
 * Writes texts as an array in a single literal, so that the engine does not parse each item
 * as an expression.
 */
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
