import type { DataColumn } from './DataColumn';

/** Matches text that spreadsheets would execute as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Formats rows as CSV: a line with the column labels, and a line per row. The value of a column is
 * that of `csv`, or else of `text` or `sortBy`; columns without any of these, such as buttons, are
 * left out.
 */
export function toCsv<T>(
  rows: readonly T[],
  columns: readonly DataColumn<T>[],
): string {
  const exported = columns.flatMap(({ label, csv, text, sortBy }) => {
    const read = csv ?? text ?? sortBy;
    return read ? [{ label, read }] : [];
  });
  return writeCsv([
    exported.map(({ label }) => label),
    ...rows.map(row => exported.map(({ read }) => read(row) ?? '')),
  ]);
}

/** Writes lines as CSV (RFC 4180) that is safe to open in a spreadsheet. */
export function writeCsv(
  lines: readonly (readonly (string | number)[])[],
): string {
  return lines.map(line => `${line.map(writeCell).join(',')}\r\n`).join('');
}

function writeCell(value: string | number): string {
  if (typeof value === 'number') {
    return String(value);
  }
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
