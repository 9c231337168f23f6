import { useMemo } from 'react';
import { useRouteRef } from '@backstage/frontend-plugin-api';
import {
  issueRouteRef,
  mineItemRouteRef,
  rootRouteRef,
  triageItemRouteRef,
  triageRouteRef,
} from '../routes';

/**
 * Addresses of the plugin's pages, wherever the app has mounted them. `search` is what
 * stays of the address: the filters of the list that a piece stands in.
 */
export function useLinks() {
  const root = useRouteRef(rootRouteRef)?.() ?? '';
  const mineItem = useRouteRef(mineItemRouteRef);
  const triage = useRouteRef(triageRouteRef)?.() ?? '';
  const triageItem = useRouteRef(triageItemRouteRef);
  const issue = useRouteRef(issueRouteRef);
  return useMemo(
    () => ({
      mine: (search = '') => root + search,
      mineItem: (id: string, search = '') =>
        (mineItem?.({ id }) ?? '') + search,
      triage: (search = '') => triage + search,
      triageItem: (id: string, search = '') =>
        (triageItem?.({ id }) ?? '') + search,
      issue: (number: number) => issue?.({ number: String(number) }) ?? '',
    }),
    [root, mineItem, triage, triageItem, issue],
  );
}
