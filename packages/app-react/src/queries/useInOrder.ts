import { useCallback, useRef } from 'react';

/**
 * Returns a function that makes changes one after another, each once the previous one with the same
 * key has succeeded or failed. It resolves or rejects as the change does.
 */
export function useInOrder(): <T>(
  change: () => Promise<T>,
  key?: string,
) => Promise<T> {
  const last = useRef(new Map<string, Promise<unknown>>());
  return useCallback((change, key = '') => {
    const before = last.current.get(key) ?? Promise.resolve();
    const next = before.catch(() => {}).then(change);
    last.current.set(key, next);
    return next;
  }, []);
}
