import type { QueryResult } from '../api/EventsApi';

/** Formats a value of an event for display. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) {
    return '';
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Reads the page on which an event happened, from the properties that PostHog's SDKs set. */
export function pageOf(properties: Record<string, unknown>): string {
  return cellText(properties.$pathname ?? properties.$current_url);
}

/** Writes a table as CSV (RFC 4180) that is safe to open in a spreadsheet. */
export function toCsv({ columns, rows }: QueryResult): string {
  return [columns, ...rows]
    .map(row => `${row.map(writeCell).join(',')}\r\n`)
    .join('');
}

function writeCell(value: unknown): string {
  const text = cellText(value);
  // A spreadsheet would evaluate a cell that begins like a formula.
  const harmless =
    typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless)
    ? `"${harmless.replaceAll('"', '""')}"`
    : harmless;
}
