import { type ApiHolder, useApiHolder } from '@backstage/frontend-plugin-api';
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { readFailedCall } from '../failures/failedCall';
import {
  type ActionSubject,
  type InstalledSource,
  paletteApiRef,
  type PaletteItem,
  type PaletteSource,
} from './palette';
import { createSourceContext } from './SourceContext';

/** An item and its source. */
export interface PaletteEntry {
  source: InstalledSource;
  item: PaletteItem;
}

const NONE: readonly InstalledSource[] = [];

/**
 * Time for which the items of a source are fresh, in milliseconds; the palette then shows
 * them and refetches.
 */
const FRESH_MS = 15_000;

// Keyed by app, so that two apps, or two tests, share nothing.
const loaded = new WeakMap<ApiHolder, Map<string, Promise<PaletteSource>>>();

/** Loads a source once. */
function open(app: ApiHolder, source: InstalledSource): Promise<PaletteSource> {
  const own = loaded.get(app) ?? new Map<string, Promise<PaletteSource>>();
  loaded.set(app, own);
  const known =
    own.get(source.id) ??
    source.load().then(create => create(createSourceContext(app)));
  own.set(source.id, known);
  // Allows a retry after a failed load.
  known.catch(() => own.delete(source.id));
  return known;
}

/** The items found by sources, and which sources are not responding. */
export interface PaletteAnswers {
  entries: readonly PaletteEntry[];
  isLoading: boolean;
  /** Indexes in the list of sources. */
  failed: readonly number[];
  /** The sources that responded, which know what no longer exists. */
  responded: readonly { id: string; isGone: PaletteSource['isGone'] }[];
}

/** The results of one source. */
interface SourceAnswer {
  entries: readonly PaletteEntry[];
  responded: PaletteAnswers['responded'][number];
}

/**
 * Queries all sources with `ask`, and joins the items that they return. Results are cached by
 * `key`.
 *
 * @param isAsked - false to send no requests.
 */
function useSources(
  key: readonly unknown[],
  ask: (
    source: PaletteSource,
    call: { signal: AbortSignal },
  ) => Promise<readonly PaletteItem[]> | undefined,
  isAsked: boolean,
): PaletteAnswers {
  const app = useApiHolder();
  // An app that runs a single plugin has no palette.
  const sources = app.get(paletteApiRef)?.sources() ?? NONE;
  return useQueries({
    queries: sources.map(source => ({
      queryKey: ['palette', source.id, ...key],
      queryFn: async (call: { signal: AbortSignal }) => {
        const opened = await open(app, source);
        const items = (await ask(opened, call)) ?? [];
        return {
          entries: items.map(item => ({ source, item })),
          responded: { id: source.id, isGone: opened.isGone },
        };
      },
      enabled: isAsked,
      staleTime: FRESH_MS,
      retry: false,
    })),
    // A module-level function keeps its result stable for the same data, so that entries are
    // indexed once.
    combine: join,
  });
}

function join(answers: UseQueryResult<SourceAnswer>[]): PaletteAnswers {
  return {
    isLoading: answers.some(({ isLoading }) => isLoading),
    entries: answers.flatMap(({ data }) => data?.entries ?? []),
    failed: answers.flatMap(({ error }, index) =>
      isOutage(error) ? [index] : [],
    ),
    responded: answers.flatMap(({ data }) => data?.responded ?? []),
  };
}

/** Checks whether a part is not responding; a part that the user may not read just has no items. */
function isOutage(error: unknown): boolean {
  const { status } = readFailedCall(error);
  return Boolean(error) && (status === undefined || status >= 500);
}

/** Reads the items of all sources that list them. */
export function usePaletteList(isAsked: boolean): PaletteAnswers {
  return useSources(['list'], (source, call) => source.list?.(call), isAsked);
}

/** Searches the sources that have too many items to list; does nothing for too short a query. */
export function usePaletteSearch(words: string): PaletteAnswers {
  return useSources(
    ['search', words],
    (source, call) => source.search?.(words, call),
    words.length >= 2,
  );
}

/** Collects the actions of all sources for objects on a page, without duplicates. */
export function useActionsFor(
  subjects: readonly ActionSubject[],
): PaletteAnswers {
  const answers = useSources(
    ['actions', subjects],
    async (source, call) => {
      const found = await Promise.all(
        subjects.map(subject => source.actionsFor?.(subject, call) ?? []),
      );
      return found.flat();
    },
    subjects.length > 0,
  );
  const unique = new Map(
    answers.entries.map(entry => [
      `${entry.source.id} ${entry.item.id}`,
      entry,
    ]),
  );
  return { ...answers, entries: [...unique.values()] };
}
