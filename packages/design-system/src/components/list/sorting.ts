import { useUrlFilters } from '../filters/useUrlFilters';

/** A column by its id, and which end of its rows comes first. */
export interface SortOrder {
  column: string;
  direction: 'ascending' | 'descending';
}

/** The order of a table and how to change it, as {@link useUrlSort} returns them. */
export interface TableSort {
  /** Undefined while the rows keep the order that they come in. */
  order: SortOrder | undefined;
  setOrder(order: SortOrder | undefined): void;
}

/** A column as far as sorting knows it. */
interface SortColumn<T> {
  id: string;
  sortBy?(row: T): string | number | null | undefined;
}

/**
 * Reads an order as the URL has it: `name`, or `-name` for descending.
 *
 * @param columns - ids of the columns that rows can be sorted by; for any other the fallback holds.
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

/** Writes what {@link parseOrder} reads; the fallback is the empty text. */
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

/**
 * Sorts rows by what their column says. Rows without a value come last in either direction;
 * equal rows, and those of an unknown column, keep the order that they have.
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
  return [...rows].sort((a, b) => {
    const [left, right] = [sortBy(a) ?? null, sortBy(b) ?? null];
    if (left === null || right === null) {
      return Number(left === null) - Number(right === null);
    }
    return typeof left === 'number' && typeof right === 'number'
      ? sign * (left - right)
      : sign *
          String(left).localeCompare(String(right), 'en', { numeric: true });
  });
}

/**
 * Keeps the order of a table in `sort` of the URL, so that it can be shared and reloaded.
 *
 * @param columns - ids of the columns that the rows can be sorted by.
 * @param fallback - the order while the URL has none.
 */
export function useUrlSort(
  columns: readonly string[],
  fallback?: SortOrder,
): TableSort {
  const { values, set } = useUrlFilters({ sort: '' });
  return {
    order: parseOrder(values.sort, columns, fallback),
    setOrder: order => set('sort', formatOrder(order, fallback)),
  };
}
