import {
  DORA_METRICS,
  type DoraMetricName,
  type ScopeComparison,
} from '@slipway/plugin-delivery-lake-common';

/** What the comparison can be sorted by. */
export const BREAKDOWN_COLUMNS = ['name', ...DORA_METRICS] as const;
export type BreakdownColumn = 'name' | DoraMetricName;

/** An order as a table takes it. */
export interface BreakdownOrder {
  column: BreakdownColumn;
  direction: 'ascending' | 'descending';
}

/** The order of a URL's `sort`, e.g. `-changeFailureRate`; by name when there is none. */
export function parseOrder(text: string): BreakdownOrder {
  const name = text.replace(/^-/, '');
  const column = BREAKDOWN_COLUMNS.find(known => known === name);
  return {
    column: column ?? 'name',
    direction: column && text.startsWith('-') ? 'descending' : 'ascending',
  };
}

/** The reverse of {@link parseOrder}. */
export function formatOrder({ column, direction }: BreakdownOrder): string {
  const text = direction === 'descending' ? `-${column}` : column;
  return text === 'name' ? '' : text;
}

/** Sorts; what has no data comes last in either direction. */
export function sortBreakdown(
  items: readonly ScopeComparison[],
  { column, direction }: BreakdownOrder,
): ScopeComparison[] {
  const sign = direction === 'ascending' ? 1 : -1;
  const byTitle = (a: ScopeComparison, b: ScopeComparison) =>
    a.title.localeCompare(b.title, 'en');
  return [...items].sort((a, b) => {
    if (column === 'name') {
      return sign * byTitle(a, b);
    }
    const [left, right] = [a.metrics[column], b.metrics[column]];
    const known = Number(right.samples > 0) - Number(left.samples > 0);
    return known || sign * (left.value - right.value) || byTitle(a, b);
  });
}
