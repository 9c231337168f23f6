import { useCallback, useEffect, useRef, useState } from 'react';
import { storageApiRef, useApi } from '@backstage/frontend-plugin-api';
import type { PaletteEntry } from '@slipway/app-react';

// A type, because storage requires plain JSON values, and TypeScript does not accept
// interfaces as such.
/** An entry that the user chose in the palette. */
export type Recent = {
  source: string;
  id: string;
  title: string;
  kind: string;
  /** The page that it opens; omitted for actions. */
  href?: string;
  /** Time of the last choice, in milliseconds since the Unix epoch. */
  at: number;
  /** Number of choices. */
  times: number;
};

const BUCKET = 'slipway.palette';
const KEY = 'recent';
const MAX_KEPT = 30;
const WEEK_MS = 7 * 86_400_000;

/** Returns recently chosen entries, newest first, stored in the user's settings. */
export function useRecent(): {
  recent: readonly Recent[];
  remember(entry: PaletteEntry): void;
  /** Returns a bonus from 0 to 1, by how often and how recently an entry was chosen. */
  bonusOf(entry: PaletteEntry): number;
} {
  const storage = useApi(storageApiRef);
  const [recent, setRecent] = useState<readonly Recent[]>([]);
  /** Undefined until the settings are loaded: a choice stored before would replace all others. */
  const latest = useRef<readonly Recent[]>(undefined);

  useEffect(() => {
    const bucket = storage.forBucket(BUCKET);
    const take = (snapshot: { presence: string; value?: unknown }) => {
      const { presence, value } = snapshot;
      if (presence === 'unknown') {
        return;
      }
      const known = Array.isArray(value) ? value : [];
      latest.current = known;
      setRecent(known);
    };
    const subscription = bucket
      .observe$<Recent[]>(KEY)
      .subscribe({ next: take, error: () => {} });
    take(bucket.snapshot<Recent[]>(KEY));
    return () => subscription.unsubscribe();
  }, [storage]);

  const remember = useCallback(
    ({ source, item }: PaletteEntry) => {
      if (!latest.current) {
        return;
      }
      const { id, title, kind, act } = item;
      const isIt = (known: Recent) =>
        known.source === source.id && known.id === id;
      const before = latest.current.find(isIt);
      const next = [
        {
          source: source.id,
          id,
          title,
          kind,
          ...(act.type === 'open' && { href: act.href }),
          at: Date.now(),
          times: (before?.times ?? 0) + 1,
        },
        ...latest.current.filter(known => !isIt(known)),
      ].slice(0, MAX_KEPT);
      latest.current = next;
      setRecent(next);
      storage
        .forBucket(BUCKET)
        .set(KEY, next)
        .catch(() => {});
    },
    [storage],
  );

  const bonusOf = useCallback(
    ({ source, item }: PaletteEntry) => {
      const known = recent.find(
        each => each.source === source.id && each.id === item.id,
      );
      return known
        ? Math.min(1, known.times / 5) *
            0.5 ** ((Date.now() - known.at) / WEEK_MS)
        : 0;
    },
    [recent],
  );

  return { recent, remember, bonusOf };
}
