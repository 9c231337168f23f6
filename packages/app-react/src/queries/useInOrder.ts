import { useCallback, useRef } from 'react';

/**
 * Returns a function that makes changes one after another, each once the previous one has succeeded
 * or failed. It resolves or rejects as the change does.
 */
export function useInOrder(): <T>(change: () => Promise<T>) => Promise<T> {
  const last = useRef<Promise<unknown>>(Promise.resolve());
  return useCallback(change => {
    const next = last.current.catch(() => {}).then(change);
    last.current = next;
    return next;
  }, []);
}
