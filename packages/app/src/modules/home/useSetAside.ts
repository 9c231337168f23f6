import { useCallback, useEffect, useRef, useState } from 'react';
import { storageApiRef, useApi } from '@backstage/frontend-plugin-api';
import type { Need } from '@slipway/entity-contract';

/**
 * Time at which each dismissed item reappears, in milliseconds, by its key; null for
 * never.
 */
export type Aside = Readonly<Record<string, number | null>>;

const BUCKET = 'slipway.inbox';
const KEY = 'aside';
/** Maximum number of entries; older ones are dropped so that the list stays bounded. */
const MAX_KEPT = 300;

/** Checks whether a need is done, or snoozed at a given time. */
export function isAside(
  aside: Aside | undefined,
  { key }: Pick<Need, 'key'>,
  now: number,
): boolean {
  const until = aside?.[key];
  return until === null || (until !== undefined && until > now);
}

/** Returns nine in the morning of the next day, in the user's time zone. */
export function tomorrow(now: number): number {
  const date = new Date(now);
  date.setDate(date.getDate() + 1);
  date.setHours(9, 0, 0, 0);
  return date.getTime();
}

/** Returns what the user has set aside, stored in the user's settings. */
export function useSetAside(): {
  /** Undefined until it is loaded. */
  aside: Aside | undefined;
  setAside(need: Need, kind: 'done' | 'snoozed'): void;
  putBack(key: string): void;
} {
  const storage = useApi(storageApiRef);
  const [aside, setState] = useState<Aside>();
  const latest = useRef<Aside>({});

  useEffect(() => {
    const bucket = storage.forBucket(BUCKET);
    const take = (value: Aside | undefined) => {
      latest.current = value ?? {};
      setState(latest.current);
    };
    const subscription = bucket
      .observe$<Aside>(KEY)
      .subscribe({ next: ({ value }) => take(value), error: () => take({}) });
    const { presence, value } = bucket.snapshot<Aside>(KEY);
    if (presence !== 'unknown') {
      take(value);
    }
    return () => subscription.unsubscribe();
  }, [storage]);

  const write = useCallback(
    (next: Record<string, number | null>) => {
      const kept = Object.fromEntries(Object.entries(next).slice(-MAX_KEPT));
      latest.current = kept;
      setState(kept);
      storage
        .forBucket(BUCKET)
        .set(KEY, kept)
        .catch(() => {});
    },
    [storage],
  );

  return {
    aside,
    setAside: (need, kind) =>
      write({
        ...latest.current,
        [need.key]: kind === 'done' ? null : tomorrow(Date.now()),
      }),
    putBack(key) {
      const { [key]: _, ...rest } = latest.current;
      write(rest);
    },
  };
}
