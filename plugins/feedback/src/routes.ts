import { useMemo } from 'react';
import {
  createRouteRef,
  createSubRouteRef,
  useRouteRef,
} from '@backstage/frontend-plugin-api';

/** The main page of the plugin; its first tab is the user's feedback. */
export const rootRouteRef = createRouteRef();

/** The tab with the user's feedback and its status. */
export const mineRouteRef = createRouteRef();

/** One item next to the list. */
export const mineItemRouteRef = createSubRouteRef({
  parent: mineRouteRef,
  path: '/:id',
});

/** The tab with the feedback that is open for voting. */
export const votingRouteRef = createRouteRef();

/** One item next to the list. */
export const votingItemRouteRef = createSubRouteRef({
  parent: votingRouteRef,
  path: '/:id',
});

/** All feedback, for users who can triage. */
export const triageRouteRef = createRouteRef();

/** One item next to the list. */
export const triageItemRouteRef = createSubRouteRef({
  parent: triageRouteRef,
  path: '/:id',
});

/** An issue of the embedded tracker. */
export const issueRouteRef = createRouteRef({ params: ['number'] });

/**
 * Returns functions that create the URLs of the plugin's pages, either of an item or of its list.
 * `search` contains the filters of the list, which are kept.
 */
export function useLinks() {
  const root = useRouteRef(rootRouteRef)?.() ?? '';
  const mineItem = useRouteRef(mineItemRouteRef);
  const voting = useRouteRef(votingRouteRef)?.() ?? '';
  const votingItem = useRouteRef(votingItemRouteRef);
  const triage = useRouteRef(triageRouteRef)?.() ?? '';
  const triageItem = useRouteRef(triageItemRouteRef);
  const issue = useRouteRef(issueRouteRef);
  return useMemo(
    () => ({
      mine: (id?: string, search = '') =>
        (id ? (mineItem?.({ id }) ?? '') : root) + search,
      voting: (id?: string, search = '') =>
        (id ? (votingItem?.({ id }) ?? '') : voting) + search,
      triage: (id?: string, search = '') =>
        (id ? (triageItem?.({ id }) ?? '') : triage) + search,
      issue: (number: number) => issue?.({ number: String(number) }) ?? '',
    }),
    [root, mineItem, voting, votingItem, triage, triageItem, issue],
  );
}
