import { useUrlFilters } from '../filters/useUrlFilters';

/** The chosen columns and a function to change them, as returned by {@link useUrlColumns}. */
export interface ColumnChoice {
  /** Ids of the chosen columns; undefined for the default. */
  chosen: readonly string[] | undefined;
  /** Chooses columns; undefined restores the default. */
  choose(columns: readonly string[] | undefined): void;
}

/**
 * Stores the columns of a table in the URL parameter `columns`, so that a view can be shared and
 * saved.
 */
export function useUrlColumns(): ColumnChoice {
  const { values, set } = useUrlFilters({ columns: '' });
  return {
    chosen: values.columns === '' ? undefined : values.columns.split(','),
    choose: columns => set('columns', columns?.join(',') ?? ''),
  };
}
