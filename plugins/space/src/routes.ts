import { useMemo } from 'react';
import {
  createRouteRef,
  createSubRouteRef,
  useRouteRef,
} from '@backstage/frontend-plugin-api';
import type { Granularity } from './api/SpaceApi';

/** The main page of the plugin; its first tab is the overview of a team and a period. */
export const rootRouteRef = createRouteRef();

/** The friction of a team. */
export const frictionRouteRef = createRouteRef();

/** One category of friction next to the list. */
export const frictionCategoryRouteRef = createSubRouteRef({
  parent: frictionRouteRef,
  path: '/:category',
});

/** The pulse survey. */
export const pulseRouteRef = createRouteRef();

/** The cognitive load assessment. */
export const loadRouteRef = createRouteRef();

/** The data stored about the user. */
export const mineRouteRef = createRouteRef();

/** The filters of a link to the plugin's pages. */
interface LinkFilters {
  team?: string;
  /** The period in the format of the URL. */
  period?: string;
  granularity?: Granularity;
}

/** Formats filters as a query string, including the question mark. */
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

/** Returns the URLs of the plugin's pages in this app. */
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
        // Encoded here, because the app only encodes some characters, and not `%`.
        (category?.({ category: encodeURIComponent(name) }) ?? '') +
        searchOf(filters),
      pulse: (filters: LinkFilters = {}) => pulse + searchOf(filters),
      load: (filters: LinkFilters = {}) => load + searchOf(filters),
      mine: (filters: LinkFilters = {}) => mine + searchOf(filters),
    }),
    [overview, friction, category, pulse, load, mine],
  );
}
