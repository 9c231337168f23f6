import { useUrlFilters } from '../filters/useUrlFilters';

/** A column id and a sort direction. */
export interface SortOrder {
  column: string;
  direction: 'ascending' | 'descending';
}

/** The order of a table and a function to change it, as returned by {@link useUrlSort}. */
export interface TableSort {
  /** Undefined while the rows are unsorted. */
  order: SortOrder | undefined;
  setOrder(order: SortOrder | undefined): void;
}

/** The parts of a column that sorting needs. */
interface SortColumn<T> {
  id: string;
  sortBy?(row: T): string | number | null | undefined;
}

/**
 * Parses an order from the URL: `name`, or `-name` for descending.
 *
 * @param columns - ids of the sortable columns; any other gives the fallback.
 */
export function parseOrder(
  text: string,
  columns: readonly string[],
  fallback?: SortOrder,
): SortOrder | undefined {
  const isDescending = text.startsWith('-');
  const name = isDescending ? text.slice(1) : text;
  const column = columns.find(known => known === name);
  return column
    ? { column, direction: isDescending ? 'descending' : 'ascending' }
    : fallback;
}

/** Formats an order for {@link parseOrder}; the fallback becomes an empty string. */
export function formatOrder(
  order: SortOrder | undefined,
  fallback?: SortOrder,
): string {
  if (
    !order ||
    (order.column === fallback?.column &&
      order.direction === fallback.direction)
  ) {
    return '';
  }
  return `${order.direction === 'descending' ? '-' : ''}${order.column}`;
}

const byText = new Intl.Collator('en', { numeric: true });

/**
 * Sorts rows by the value of a column. Rows without a value are last in either direction; equal
 * rows, and all rows if the column is unknown, keep their order.
 */
export function sortRows<T>(
  rows: readonly T[],
  columns: readonly SortColumn<T>[],
  order: SortOrder | undefined,
): readonly T[] {
  const sortBy = columns.find(({ id }) => id === order?.column)?.sortBy;
  if (!order || !sortBy) {
    return rows;
  }
  const sign = order.direction === 'descending' ? -1 : 1;
  return rows
    .map(row => [sortBy(row) ?? null, row] as const)
    .sort(([left], [right]) => {
      if (left === null || right === null) {
        return Number(left === null) - Number(right === null);
      }
      return typeof left === 'number' && typeof right === 'number'
        ? sign * (left - right)
        : sign * byText.compare(String(left), String(right));
    })
    .map(([, row]) => row);
}

/**
 * Stores the order of a table in the URL, so that it can be shared and reloaded.
 *
 * @param columns - ids of the sortable columns.
 * @param fallback - the order if the URL has none.
 * @param parameter - the URL parameter, which two tables of a page must not share.
 */
export function useUrlSort(
  columns: readonly string[],
  fallback?: SortOrder,
  parameter = 'sort',
): TableSort {
  const { values, set } = useUrlFilters({ [parameter]: '' });
  return {
    order: parseOrder(values[parameter], columns, fallback),
    setOrder: order => set(parameter, formatOrder(order, fallback)),
  };
}
