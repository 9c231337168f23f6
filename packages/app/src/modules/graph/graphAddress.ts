import { useCallback, useMemo } from 'react';
import { parseEntityRef } from '@backstage/catalog-model';
import { useSearchParams } from 'react-router-dom';

/** The single-value parameters, with their defaults. */
const SINGLE = {
  maxDepth: '∞',
  direction: 'LR',
  curve: 'curveMonotoneX',
  unidirectional: 'true',
  mergeRelations: 'true',
};

/** The directions in which the graph can grow. */
export const DIRECTIONS = ['LR', 'RL', 'TB', 'BT'] as const;

const CURVES = ['curveMonotoneX', 'curveStepBefore'] as const;

/** The parameters that allow only some values, with their checks; wrong values are ignored. */
const CHECKS: Partial<Record<Single | List, (value: string) => boolean>> = {
  maxDepth: value => /^(?:[1-9]\d*|∞)$/.test(value),
  direction: value => DIRECTIONS.some(known => known === value),
  curve: value => CURVES.some(known => known === value),
  rootEntityRefs: isEntityRef,
};

type Single = keyof typeof SINGLE;
type List = 'rootEntityRefs' | 'selectedKinds' | 'selectedRelations';

/** The content and layout of the graph, by parameter name. */
export type GraphAddress = Record<Single, string> &
  Record<List, readonly string[]>;

/** Parses the query format of Backstage's own graph page, so that links to that page still work. */
export function readGraphAddress(
  params: URLSearchParams,
  defaults: Partial<GraphAddress> = {},
): GraphAddress {
  const isValid = (key: Single | List, value: string) =>
    value !== '' && (CHECKS[key]?.(value) ?? true);
  const single = (key: Single) => {
    const value = params.get(key) ?? '';
    return isValid(key, value) ? value : (defaults[key] ?? SINGLE[key]);
  };
  const list = (key: List) => {
    const values = [...params]
      .filter(
        ([name, value]) => name.startsWith(`${key}[`) && isValid(key, value),
      )
      .map(([, value]) => value);
    return values.length > 0 ? values : (defaults[key] ?? []);
  };
  return {
    maxDepth: single('maxDepth'),
    direction: single('direction'),
    curve: single('curve'),
    unidirectional: single('unidirectional'),
    mergeRelations: single('mergeRelations'),
    rootEntityRefs: list('rootEntityRefs'),
    selectedKinds: list('selectedKinds').map(kind => kind.toLowerCase()),
    selectedRelations: list('selectedRelations'),
  };
}

function isEntityRef(text: string): boolean {
  try {
    return Boolean(parseEntityRef(text));
  } catch {
    return false;
  }
}

/** Returns the query with some values changed; omits empty lists. */
export function changeGraphAddress(
  params: URLSearchParams,
  change: Partial<GraphAddress>,
): URLSearchParams {
  const next = new URLSearchParams(
    [...params].filter(([key]) => !(key.split('[')[0] in change)),
  );
  for (const [key, value] of Object.entries(change)) {
    if (typeof value === 'string') {
      next.set(key, value);
    } else {
      value.forEach(one => next.append(`${key}[]`, one));
    }
  }
  return next;
}

/** Returns the address of the page with the graph that starts at some entities. */
export function graphHref(start: Partial<GraphAddress>): string {
  return `/catalog-graph?${changeGraphAddress(new URLSearchParams(), start)}`;
}

/** Keeps the state of the graph in the URL. A new start adds a history entry. */
export function useGraphAddress(defaults?: Partial<GraphAddress>) {
  const [params, setParams] = useSearchParams();
  const values = useMemo(
    () => readGraphAddress(params, defaults),
    [params, defaults],
  );
  const change = useCallback(
    (next: Partial<GraphAddress>) =>
      setParams(current => changeGraphAddress(current, next), {
        replace: next.rootEntityRefs === undefined,
      }),
    [setParams],
  );
  return { values, change };
}
