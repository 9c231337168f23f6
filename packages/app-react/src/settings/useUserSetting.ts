import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import {
  type StorageApi,
  storageApiRef,
  useApi,
} from '@backstage/frontend-plugin-api';

/**
 * Plain JSON, which is all that settings store; TypeScript accepts type aliases as such, but not
 * interfaces.
 */
type Json = Parameters<StorageApi['set']>[1];

/** A value in the user's settings, as returned by {@link useUserSetting}. */
export interface UserSetting<T> {
  /** Undefined until the settings are loaded. */
  value: T | undefined;
  /**
   * Changes the value, which is shown before it is stored. Does nothing until the settings are
   * loaded: it would replace what they contain.
   *
   * @param next - receives the latest value, which may be newer than the one rendered, as long as
   *   the component is mounted.
   * @throws the error of the settings; the value is then the last one that they contained.
   */
  change(next: (current: T) => T): Promise<void>;
}

/**
 * Reads a value from the user's settings, and follows changes in other tabs and components.
 *
 * @param bucket - the name of a part of the settings, unique in the product: `slipway.views`.
 * @param parse - a stable function that parses the stored value, which may have any shape, and is
 *   undefined if there is none.
 */
export function useUserSetting<T extends Json>(
  bucket: string,
  key: string,
  parse: (stored: unknown) => T,
): UserSetting<T> {
  const storageApi = useApi(storageApiRef);
  const storage = useMemo(
    () => storageApi.forBucket(bucket),
    [storageApi, bucket],
  );
  const [value, setValue] = useState<T>();
  const latest = useRef<T>(undefined);
  const stored = useRef<T>(undefined);
  const show = useCallback((next: T | undefined) => {
    latest.current = next;
    setValue(next);
  }, []);

  useEffect(() => {
    const take = (found: { presence: string; value?: unknown }) => {
      stored.current =
        found.presence === 'unknown' ? undefined : parse(found.value);
      show(stored.current);
    };
    const subscription = storage.observe$(key).subscribe({ next: take });
    take(storage.snapshot(key));
    return () => subscription.unsubscribe();
  }, [storage, key, parse, show]);

  const change = useCallback(
    async (next: (current: T) => T) => {
      const before = latest.current;
      if (before === undefined) {
        return;
      }
      const after = next(before);
      show(after);
      try {
        await storage.set(key, after);
      } catch (error) {
        // A later change stays in place.
        if (latest.current === after) {
          show(stored.current);
        }
        throw error;
      }
    },
    [storage, key, show],
  );
  return { value, change };
}
