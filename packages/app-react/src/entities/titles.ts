import { useEffect, useReducer } from 'react';
import { createApiRef, useApiHolder } from '@backstage/frontend-plugin-api';

/** Time for which a title is fresh, because titles change rarely. */
const FRESH_MS = 5 * 60_000;

/** The part of the catalog's presentation of entities that is used here. */
interface PresentationLike {
  /** Requests for several entities at about the same time become one. */
  forEntity(ref: string): { promise: Promise<{ primaryTitle: string }> };
}

// By its id, so that pages work in an app without a catalog.
const presentationApiRef = createApiRef<PresentationLike>().with({
  id: 'plugin.catalog.entity-presentation',
});

/** The titles that have been requested, by reference, with the time of the response. */
type Known = Map<string, { title: string; at: number }>;

// Keyed by API, so that two apps, or two tests, share nothing.
const titlesOf = new WeakMap<PresentationLike, Known>();

/**
 * Returns a function from references of entities to their titles in the catalog, for texts. All
 * that a page asks for is requested at once, and kept for a few minutes. Until it has loaded, and
 * for what is not in the catalog, the function returns the reference without its kind: `demo/cart`,
 * or only `cart` in the namespace `default`. Entities that share a title are told apart by it.
 *
 * @param refs - needs no memoization as long as its content stays the same.
 * @param options.kind - the kind of references without one, such as the names of teams. Other texts
 *   are returned as they are.
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
    // A new list with the same references is the same.
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

/** Loads the titles that are not fresh. @returns true if there are any. */
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

/** Returns a whole reference in lower case; undefined for other texts. */
function wholeRef(ref: string, defaultKind?: string): string | undefined {
  const [, kind = defaultKind, namespace = 'default', name] =
    REF.exec(ref) ?? [];
  return kind && name && `${kind}:${namespace}/${name}`.toLowerCase();
}

/** Returns a reference without its kind, and without the namespace `default`. */
function shortRef(ref: string): string {
  return ref.replace(/^[a-z]+:/i, '').replace(/^default\//, '');
}
