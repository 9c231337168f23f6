import { DependencyList, useCallback, useEffect, useState } from 'react';

/** The loading state of a card or page. */
export type Loaded<T> =
  | { state: 'loading' }
  | { state: 'failed'; error: unknown; retry(): void }
  | { state: 'ready'; value: T };

/** Loads on mount and whenever `deps` change; ignores outdated results. */
export function useLoaded<T>(
  load: () => Promise<T>,
  deps: DependencyList,
): Loaded<T> {
  const [attempt, setAttempt] = useState(0);
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading' });
  const retry = useCallback(() => setAttempt(current => current + 1), []);

  useEffect(() => {
    let isCurrent = true;
    setLoaded({ state: 'loading' });
    load().then(
      value => isCurrent && setLoaded({ state: 'ready', value }),
      error => isCurrent && setLoaded({ state: 'failed', error, retry }),
    );
    return () => {
      isCurrent = false;
    };
    // `load` is a new function on each render; `deps` say when it differs.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [...deps, attempt, retry]);

  return loaded;
}
