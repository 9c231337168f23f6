import type { ReactNode } from 'react';
import { useUrlFilters } from '../filters/useUrlFilters';

/** The space available to a cell. */
export interface CellRoom {
  /** True below 768 px: a cell may then have to include the content of hidden columns. */
  isNarrow: boolean;
}

/** A column of a DataTable. */
export interface DataColumn<T> {
  id: string;
  /** Column header. */
  label: string;
  /** True to show the label only to screen readers, e.g. for a column of buttons. */
  hidesLabel?: boolean;
  /** The content of a row's cell; text that is too long is truncated and shown in full on hover. */
  cell(row: T, room: CellRoom): ReactNode;
  /** The row's name as plain text, in the first column. */
  text?(row: T): string;
  /** True to align it to the end, with tabular figures. */
  isNumber?: boolean;
  /**
   * Width in pixels or as a share of the table such as `14%`; columns without a width share the
   * rest.
   */
  width?: number | string;
  /** The width while a panel is open next to the table. */
  widthBeside?: string;
  /** The smallest window that shows the column: 640, 768, 1024 or 1280 px. */
  from?: 'xs' | 'sm' | 'md' | 'lg';
  /** False for a column that is hidden while a panel is open next to the table. */
  beside?: false;
  /** Makes the column sortable by text or number; null and undefined are last. */
  sortBy?(row: T): string | number | null | undefined;
  /** The value in an exported file, if `text` and `sortBy` do not provide it. */
  csv?(row: T): string | number | null | undefined;
  /** True for a column that is hidden until the user chooses it. */
  isExtra?: true;
}

/** The chosen columns and a function to change them, as returned by {@link useUrlColumns}. */
export interface ColumnChoice {
  /** Ids of the chosen columns; undefined for the default. */
  chosen: readonly string[] | undefined;
  /** Chooses columns; undefined restores the default. */
  choose(columns: readonly string[] | undefined): void;
}

/**
 * Stores the columns of a table in the URL, so that a view can be shared and saved.
 *
 * @param parameter - the URL parameter, which two tables of a page must not share
 */
export function useUrlColumns(parameter = 'columns'): ColumnChoice {
  const { values, set } = useUrlFilters({ [parameter]: '' });
  const chosen = values[parameter];
  return {
    chosen: chosen === '' ? undefined : chosen.split(','),
    choose: columns => set(parameter, columns?.join(',') ?? ''),
  };
}
