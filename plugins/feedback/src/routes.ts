import { useMemo } from 'react';
import {
  createRouteRef,
  createSubRouteRef,
  useRouteRef,
} from '@backstage/frontend-plugin-api';

/** The page of the plugin; its first tab is what the reader sent. */
export const rootRouteRef = createRouteRef();

/** The tab of what the reader sent, and what became of it. */
export const mineRouteRef = createRouteRef();

/** One piece of it beside the list. */
export const mineItemRouteRef = createSubRouteRef({
  parent: mineRouteRef,
  path: '/:id',
});

/** All feedback, for those who triage. */
export const triageRouteRef = createRouteRef();

/** One piece of it beside the list. */
export const triageItemRouteRef = createSubRouteRef({
  parent: triageRouteRef,
  path: '/:id',
});

/** An issue of the embedded tracker. */
export const issueRouteRef = createRouteRef({ params: ['number'] });

/**
 * Addresses of the plugin's pages, wherever the app has mounted them: of one piece, or of its
 * list alone. `search` is what stays of the address: the filters of the list.
 */
export function useLinks() {
  const root = useRouteRef(rootRouteRef)?.() ?? '';
  const mineItem = useRouteRef(mineItemRouteRef);
  const triage = useRouteRef(triageRouteRef)?.() ?? '';
  const triageItem = useRouteRef(triageItemRouteRef);
  const issue = useRouteRef(issueRouteRef);
  return useMemo(
    () => ({
      mine: (id?: string, search = '') =>
        (id ? (mineItem?.({ id }) ?? '') : root) + search,
      triage: (id?: string, search = '') =>
        (id ? (triageItem?.({ id }) ?? '') : triage) + search,
      issue: (number: number) => issue?.({ number: String(number) }) ?? '',
    }),
    [root, mineItem, triage, triageItem, issue],
  );
}
