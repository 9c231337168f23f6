import { useDeferredValue, useMemo } from 'react';
import { useApi } from '@backstage/frontend-plugin-api';
import {
  type InstalledSource,
  type PaletteAnswers,
  type PaletteEntry,
  paletteApiRef,
  usePaletteList,
  usePaletteSearch,
  useDebounced,
} from '@slipway/app-react';
import { createIndex, type Ranked } from './rank';
import { type Recent, useRecent } from './useRecent';

/** The scope of the results: actions, or the id of a source. */
export type PaletteScope = 'actions' | (string & {}) | undefined;

/** Id of the source of the app's own pages. */
const PAGES = 'palette-source:app/pages';
const LIMIT = 40;
const RECENT = 6;
/** Maximum number of suggestions below recent entries, before anything is typed. */
const SUGGESTED = 16;
/** Debounce for sources that search, in milliseconds. */
const PAUSE_MS = 120;

/** A list of results under a heading; a single list has none. */
export interface ResultGroup {
  id: 'recent' | 'suggested' | 'results';
  results: readonly Ranked[];
}

/** Returns the palette's results for the words in a scope. */
export function usePaletteResults(words: string, scope: PaletteScope) {
  const sources = useApi(paletteApiRef).sources();
  const list = usePaletteList(true);
  const settled = useDebounced(words.trim(), PAUSE_MS);
  const found = usePaletteSearch(settled);
  const { responded } = list;
  const { recent, remember, bonusOf } = useRecent();

  const entries = useMemo(
    () =>
      uniqueBy([...list.entries, ...found.entries], keyOf).filter(
        inScope(scope),
      ),
    [list.entries, found.entries, scope],
  );
  const index = useMemo(() => createIndex(entries), [entries]);
  const typed = useDeferredValue(words.trim());
  const groups = useMemo<ResultGroup[]>(() => {
    if (typed !== '') {
      const ranked = index.find(typed, { limit: LIMIT, bonusOf });
      // A source's search may match texts that its items do not contain.
      const more =
        settled === typed ? found.entries.filter(inScope(scope)) : [];
      return [
        {
          id: 'results',
          results: uniqueBy([...ranked, ...more.map(unmarked)], ({ entry }) =>
            keyOf(entry),
          ).slice(0, LIMIT),
        },
      ];
    }
    const lately = recent
      .flatMap(known => entryOf(known, { entries, sources, responded }) ?? [])
      .filter(inScope(scope))
      .slice(0, scope ? LIMIT : RECENT);
    const suggested = entries
      .filter(entry => scope !== undefined || isGeneral(entry))
      // Actions come first, because users do not know to look for them.
      .sort((one, other) =>
        scope === undefined ? Number(isPage(one)) - Number(isPage(other)) : 0,
      )
      .filter(entry => !lately.some(known => keyOf(known) === keyOf(entry)))
      .slice(0, scope ? LIMIT : SUGGESTED);
    return [
      { id: 'recent' as const, results: lately.map(unmarked) },
      { id: 'suggested' as const, results: suggested.map(unmarked) },
    ].filter(({ results }) => results.length > 0);
  }, [
    typed,
    settled,
    index,
    bonusOf,
    found.entries,
    recent,
    entries,
    sources,
    responded,
    scope,
  ]);

  return {
    groups,
    remember,
    isLoading: list.isLoading || (found.isLoading && settled !== ''),
    failed: [...new Set([...list.failed, ...found.failed])].map(
      place => sources[place].title,
    ),
  };
}

/** Returns a unique key for an entry. */
export function keyOf({ source, item }: PaletteEntry): string {
  return `${source.id} ${item.id}`;
}

function unmarked(entry: PaletteEntry): Ranked {
  return { entry, marks: [] };
}

function inScope(scope: PaletteScope) {
  return ({ source, item }: PaletteEntry) =>
    scope === undefined ||
    (scope === 'actions' ? item.act.type !== 'open' : source.id === scope);
}

function isPage({ item }: PaletteEntry): boolean {
  return item.act.type === 'open';
}

/**
 * Checks whether an entry is useful on every page: it is a page, or an action without an
 * object.
 */
function isGeneral({ source, item }: PaletteEntry): boolean {
  return item.act.type === 'dialog'
    ? item.act.input === undefined
    : source.id === PAGES && item.detail === undefined;
}

/**
 * Returns the current version of a recent entry; a page that no source lists is shown as
 * it was stored, unless its source knows that it is gone.
 */
function entryOf(
  known: Recent,
  from: {
    entries: readonly PaletteEntry[];
    sources: readonly InstalledSource[];
    responded: PaletteAnswers['responded'];
  },
): PaletteEntry | undefined {
  const { entries, sources, responded } = from;
  const { source: sourceId, id, title, kind, href } = known;
  const current = entries.find(
    ({ source, item }) => source.id === sourceId && item.id === id,
  );
  const source = sources.find(each => each.id === sourceId);
  const isGone = responded.some(
    each => each.id === sourceId && each.isGone?.(id),
  );
  return (
    current ??
    (source && href !== undefined && !isGone
      ? { source, item: { id, title, kind, act: { type: 'open', href } } }
      : undefined)
  );
}

/** Removes elements with the key of an earlier element. */
function uniqueBy<T>(elements: readonly T[], key: (element: T) => string): T[] {
  const seen = new Set<string>();
  return elements.filter(element => {
    const isNew = !seen.has(key(element));
    seen.add(key(element));
    return isNew;
  });
}
