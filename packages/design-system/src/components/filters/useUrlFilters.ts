import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';

/** Filter values and how to change them, as {@link useUrlFilters} returns them. */
export interface UrlFilters<K extends string = string> {
  values: Record<K, string>;
  /** Sets one value; the default value removes the key from the URL. */
  set(key: K, value: string): void;
  /** Sets every value back to its default; other parameters of the URL stay. */
  clear(): void;
  /** True if any value differs from its default. */
  isActive: boolean;
}

/**
 * Keeps filters in the query of the URL, so that a filtered page can be
 * shared and reloaded. A change replaces the history entry: typing a search
 * must not fill the Back button.
 *
 * @param defaults - every filter with its value when the URL does not name it;
 *   needs no memo as long as its content stays the same.
 */
export function useUrlFilters<K extends string>(
  defaults: Record<K, string>,
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

  const set = useCallback(
    (key: K, value: string) =>
      setSearchParams(
        current => {
          const next = new URLSearchParams(current);
          if (value === stableDefaults[key]) {
            next.delete(key);
          } else {
            next.set(key, value);
          }
          return next;
        },
        { replace: true },
      ),
    [setSearchParams, stableDefaults],
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
  return { values, set, clear, isActive };
}
