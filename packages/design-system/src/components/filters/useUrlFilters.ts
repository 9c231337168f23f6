import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';

/** The values of filters, and functions to change them. */
export interface Filters<K extends string = string> {
  values: Record<K, string>;
  /** Sets a value. */
  set(key: K, value: string): void;
  /** Resets all values to their defaults. */
  clear(): void;
  /** True if any value differs from its default. */
  isActive: boolean;
}

/**
 * Filters in the URL, as returned by {@link useUrlFilters}. A default value is not in the URL, and
 * `clear` does not change its other parameters.
 */
export interface UrlFilters<K extends string = string> extends Filters<K> {
  /** Sets several values as one change; several calls of `set` in a row keep only the last. */
  setAll(values: Partial<Record<K, string>>): void;
}

/**
 * Stores filters in the query string, so that a filtered page can be shared and reloaded. A change
 * replaces the history entry, so that typing a search does not fill the browser's history.
 *
 * @param defaults - every filter with its value if the URL does not contain it; needs no
 *   memoization as long as its content stays the same.
 * @param options.addsHistory - true if a change adds a history entry, so that Back undoes it: for
 *   example for an open panel.
 */
export function useUrlFilters<K extends string>(
  defaults: Record<K, string>,
  { addsHistory = false }: { addsHistory?: boolean } = {},
): UrlFilters<K> {
  const [searchParams, setSearchParams] = useSearchParams();
  const defaultsKey = JSON.stringify(defaults);
  const stableDefaults = useMemo(
    () => JSON.parse(defaultsKey) as Record<K, string>,
    [defaultsKey],
  );

  const values = useMemo(() => {
    const result = { ...stableDefaults };
    for (const key of Object.keys(stableDefaults) as K[]) {
      result[key] = searchParams.get(key) ?? stableDefaults[key];
    }
    return result;
  }, [searchParams, stableDefaults]);

  const setAll = useCallback(
    (changes: Partial<Record<K, string>>) =>
      setSearchParams(
        current => {
          const next = new URLSearchParams(current);
          for (const [key, value] of Object.entries<string>(
            changes as Record<K, string>,
          )) {
            if (value === stableDefaults[key as K]) {
              next.delete(key);
            } else {
              next.set(key, value);
            }
          }
          return next;
        },
        { replace: !addsHistory },
      ),
    [setSearchParams, stableDefaults, addsHistory],
  );

  const set = useCallback(
    (key: K, value: string) =>
      setAll({ [key]: value } as Partial<Record<K, string>>),
    [setAll],
  );

  const clear = useCallback(
    () =>
      setSearchParams(
        current => {
          const next = new URLSearchParams(current);
          Object.keys(stableDefaults).forEach(key => next.delete(key));
          return next;
        },
        { replace: true },
      ),
    [setSearchParams, stableDefaults],
  );

  const isActive = (Object.keys(stableDefaults) as K[]).some(
    key => values[key] !== stableDefaults[key],
  );
  return { values, set, setAll, clear, isActive };
}
