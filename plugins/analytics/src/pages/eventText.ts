import type { QueryResult } from '../api/EventsApi';

/** A value of an event as people read it. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) {
    return '';
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Reads the page an event happened on, as SDKs of PostHog write it. */
export function pageOf(properties: Record<string, unknown>): string {
  return cellText(properties.$pathname ?? properties.$current_url);
}

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
