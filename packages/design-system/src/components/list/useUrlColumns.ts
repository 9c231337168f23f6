import { useUrlFilters } from '../filters/useUrlFilters';

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
