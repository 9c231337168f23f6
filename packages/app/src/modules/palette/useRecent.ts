import { useCallback } from 'react';
import { type PaletteEntry, useUserSetting } from '@slipway/app-react';

// A type, as settings require.
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

const MAX_KEPT = 30;
const WEEK_MS = 7 * 86_400_000;
const NONE: readonly Recent[] = [];

/** Returns recently chosen entries, newest first, stored in the user's settings. */
export function useRecent(): {
  recent: readonly Recent[];
  remember(entry: PaletteEntry): void;
  /** Returns a bonus from 0 to 1, by how often and how recently an entry was chosen. */
  bonusOf(entry: PaletteEntry): number;
} {
  const { value: recent = NONE, change } = useUserSetting(
    'slipway.palette',
    'recent',
    parseRecent,
  );
  const remember = useCallback(
    // If storing it fails, the entry is opened all the same.
    (entry: PaletteEntry) =>
      void change(known => withChoice(known, entry)).catch(() => {}),
    [change],
  );
  const bonusOf = useCallback(
    (entry: PaletteEntry) => {
      const known = recent.find(each => isOf(entry, each));
      return known
        ? Math.min(1, known.times / 5) *
            0.5 ** ((Date.now() - known.at) / WEEK_MS)
        : 0;
    },
    [recent],
  );
  return { recent, remember, bonusOf };
}

/** Parses the stored value, which may have any shape. */
function parseRecent(stored: unknown): Recent[] {
  return Array.isArray(stored) ? stored.filter(isRecent) : [];
}

function isRecent(value: Partial<Recent> | null): boolean {
  const { source, id, title, kind, href = '', at, times } = value ?? {};
  return (
    [source, id, title, kind, href].every(text => typeof text === 'string') &&
    [at, times].every(Number.isFinite)
  );
}

function isOf({ source, item }: PaletteEntry, known: Recent): boolean {
  return known.source === source.id && known.id === item.id;
}

/** Returns the entries with one chosen now. */
function withChoice(known: readonly Recent[], entry: PaletteEntry): Recent[] {
  const { id, title, kind, act } = entry.item;
  const before = known.find(each => isOf(entry, each));
  return [
    {
      source: entry.source.id,
      id,
      title,
      kind,
      ...(act.type === 'open' && { href: act.href }),
      at: Date.now(),
      times: (before?.times ?? 0) + 1,
    },
    ...known.filter(each => !isOf(entry, each)),
  ].slice(0, MAX_KEPT);
}
