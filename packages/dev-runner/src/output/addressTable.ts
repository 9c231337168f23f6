import type { AddressRow } from '../PartDefinition.ts';

/** The addresses of the platform and how to sign in, in aligned columns. */
export function addressTable(rows: readonly AddressRow[]): string {
  const widths = {
    label: Math.max(...rows.map(row => row.label.length)),
    url: Math.max(...rows.map(row => row.url.length)),
  };
  return rows
    .map(
      row =>
        `  ${row.label.padEnd(widths.label)}  ${row.url.padEnd(widths.url)}  ${
          row.signIn
        }`,
    )
    .join('\n');
}
