import { useMemo } from 'react';
import {
  createRouteRef,
  createSubRouteRef,
  useRouteRef,
} from '@backstage/frontend-plugin-api';
import type { Granularity } from './api/SpaceApi';

/** The page of the plugin; its first tab is the overview of a team and a period. */
export const rootRouteRef = createRouteRef();

/** What costs a team time. */
export const frictionRouteRef = createRouteRef();

/** One category of friction beside the list. */
export const frictionCategoryRouteRef = createSubRouteRef({
  parent: frictionRouteRef,
  path: '/:category',
});

/** The pulse survey, to answer. */
export const pulseRouteRef = createRouteRef();

/** The assessment of cognitive load, to fill in. */
export const loadRouteRef = createRouteRef();

/** What is stored about the reader. */
export const mineRouteRef = createRouteRef();

/** What an address of the plugin can be narrowed to. */
interface LinkFilters {
  team?: string;
  /** The period as written in the URL. */
  period?: string;
  granularity?: Granularity;
}

/** Writes filters as the query of an address, with its question mark. */
export function searchOf(filters: LinkFilters): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(filters)) {
    if (value) {
      parameters.set(key, value);
    }
  }
  const text = parameters.toString();
  return text && `?${text}`;
}

/** Addresses of the plugin's pages, wherever the app has mounted them. */
export function useLinks() {
  const overview = useRouteRef(rootRouteRef)?.() ?? '';
  const friction = useRouteRef(frictionRouteRef)?.() ?? '';
  const category = useRouteRef(frictionCategoryRouteRef);
  const pulse = useRouteRef(pulseRouteRef)?.() ?? '';
  const load = useRouteRef(loadRouteRef)?.() ?? '';
  const mine = useRouteRef(mineRouteRef)?.() ?? '';
  return useMemo(
    () => ({
      overview: (filters: LinkFilters = {}) => overview + searchOf(filters),
      friction: (filters: LinkFilters = {}) => friction + searchOf(filters),
      category: (name: string, filters: LinkFilters = {}) =>
        (category?.({ category: name }) ?? '') + searchOf(filters),
      pulse: (filters: LinkFilters = {}) => pulse + searchOf(filters),
      load: (filters: LinkFilters = {}) => load + searchOf(filters),
      mine: (filters: LinkFilters = {}) => mine + searchOf(filters),
    }),
    [overview, friction, category, pulse, load, mine],
  );
}
