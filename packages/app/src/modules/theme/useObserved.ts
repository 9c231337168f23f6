import { useMemo, useSyncExternalStore } from 'react';

/** Returns the latest value of an observable. */
export function useObserved<T>(
  changes: { subscribe(onNext: () => void): { unsubscribe(): void } },
  read: () => T,
): T {
  return useSyncExternalStore(
    useMemo(
      () => (onChange: () => void) => {
        const subscription = changes.subscribe(onChange);
        return () => subscription.unsubscribe();
      },
      [changes],
    ),
    read,
  );
}
