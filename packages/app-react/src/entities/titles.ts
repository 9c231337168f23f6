import { useEffect, useReducer } from 'react';
import { createApiRef, useApiHolder } from '@backstage/frontend-plugin-api';

/** How long a title is cached, in milliseconds. Titles change rarely. */
const FRESH_MS = 5 * 60_000;

/** The part of the catalog's entity presentation API that is used here. */
interface PresentationLike {
  /** Calls made at about the same time share one request. */
  forEntity(ref: string): { promise: Promise<{ primaryTitle: string }> };
}

// Referred to by id, not imported, so that pages also work in an app without the catalog plugin.
const presentationApiRef = createApiRef<PresentationLike>().with({
  id: 'plugin.catalog.entity-presentation',
});

/** Loaded titles by entity reference, and when they were loaded, in milliseconds since the Unix epoch. */
type Known = Map<string, { title: string; at: number }>;

// Keyed by API, so that two apps, or two tests, share nothing.
const titlesOf = new WeakMap<PresentationLike, Known>();

/**
 * Returns a function that maps entity references to the entities' titles in the catalog, for use in
 * texts. The titles of a page are requested together and cached for a few minutes. Until a title has
 * loaded, and for an entity without one, the function returns the reference without its kind:
 * `demo/cart`, or only `cart` in the namespace `default`. If several of `refs` have the same title,
 * it adds this short reference to the title.
 *
 * @param refs - need not be memoized.
 * @param options.kind - the kind of references that have none, such as names of teams. Texts that are
 *   not references are returned unchanged.
 */
export function useTitles(
  refs: readonly string[],
  options: { kind?: string } = {},
): (ref: string) => string {
  const { kind } = options;
  const api = useApiHolder().get(presentationApiRef);
  const [, showLoaded] = useReducer((count: number) => count + 1, 0);
  const wanted = [...new Set(refs.flatMap(ref => wholeRef(ref, kind) ?? []))];
  const key = wanted.join();
  useEffect(() => {
    let isCurrent = true;
    if (api) {
      void load(api, wanted).then(isNew => {
        if (isNew && isCurrent) {
          showLoaded();
        }
      });
    }
    return () => {
      isCurrent = false;
    };
    // `wanted` is a new list on each render; `key` changes only with its content.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [api, key]);
  const known = api && titlesOf.get(api);
  const titleOf = (whole: string) => known?.get(whole)?.title;
  const titles = wanted.map(titleOf);
  return ref => {
    const whole = wholeRef(ref, kind);
    if (!whole) {
      return ref;
    }
    const title = titleOf(whole);
    if (!title) {
      return shortRef(ref);
    }
    const isShared = titles.filter(each => each === title).length > 1;
    return isShared ? `${title} (${shortRef(ref)})` : title;
  };
}

/** Loads titles that are missing or too old; returns whether there were any. */
async function load(
  api: PresentationLike,
  refs: readonly string[],
): Promise<boolean> {
  const known: Known = titlesOf.get(api) ?? new Map();
  titlesOf.set(api, known);
  const stale = refs.filter(
    ref => Date.now() - (known.get(ref)?.at ?? -Infinity) > FRESH_MS,
  );
  await Promise.all(
    stale.map(async ref => {
      const { primaryTitle } = await api.forEntity(ref).promise;
      // An entity without a title, or one that could not be loaded, is requested again.
      if (primaryTitle && primaryTitle !== shortRef(ref)) {
        known.set(ref, { title: primaryTitle, at: Date.now() });
      }
    }),
  ).catch(() => undefined);
  return stale.length > 0;
}

const REF = /^(?:([a-z]+):)?(?:([\w.-]+)\/)?([\w.-]+)$/i;

/** Returns a full entity reference in lower case; undefined if the text is not a reference. */
function wholeRef(ref: string, defaultKind?: string): string | undefined {
  const [, kind = defaultKind, namespace = 'default', name] =
    REF.exec(ref) ?? [];
  return kind && name && `${kind}:${namespace}/${name}`.toLowerCase();
}

/** Returns a reference without its kind, and without the namespace `default`. */
function shortRef(ref: string): string {
  return ref.replace(/^[a-z]+:/i, '').replace(/^default\//, '');
}
