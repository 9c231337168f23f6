import { useMemo } from 'react';
import { useRouteRef } from '@backstage/frontend-plugin-api';
import type { Granularity } from '../api/types';
import {
  frictionCategoryRouteRef,
  frictionRouteRef,
  loadRouteRef,
  mineRouteRef,
  pulseRouteRef,
  rootRouteRef,
} from '../routes';

/** What an address of the plugin can be narrowed to. */
export interface LinkFilters {
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
