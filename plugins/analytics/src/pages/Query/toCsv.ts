import type { QueryResult } from '../../api/types';
import { cellText } from '../../components/cellText';

/** A table as RFC 4180 has it, safe to open in a spreadsheet. */
export function toCsv({ columns, rows }: QueryResult): string {
  return [columns, ...rows]
    .map(row => `${row.map(writeCell).join(',')}\r\n`)
    .join('');
}

function writeCell(value: unknown): string {
  const text = cellText(value);
  // A spreadsheet would run what begins like a formula.
  const harmless =
    typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless)
    ? `"${harmless.replaceAll('"', '""')}"`
    : harmless;
}
