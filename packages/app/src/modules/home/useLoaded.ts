import { DependencyList, useCallback, useEffect, useState } from 'react';

/** What a card or page knows about its data. */
export type Loaded<T> =
  | { state: 'loading' }
  | { state: 'failed'; error: unknown; retry(): void }
  | { state: 'ready'; value: T };

/**
 * Loads when the component appears and whenever `deps` change; answers that come
 * too late are dropped.
 */
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
    // `load` is a new function with every render; `deps` say when it differs.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [...deps, attempt, retry]);

  return loaded;
}
