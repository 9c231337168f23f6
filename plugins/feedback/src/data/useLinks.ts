import { useMemo } from 'react';
import { useRouteRef } from '@backstage/frontend-plugin-api';
import {
  issueRouteRef,
  mineRouteRef,
  rootRouteRef,
  statisticsRouteRef,
  triageItemRouteRef,
  triageRouteRef,
} from '../routes';

/**
 * Addresses of the plugin's pages, wherever the app has mounted them. `search` is what
 * stays of the address: the filters of the list that a piece stands in.
 */
export function useLinks() {
  const root = useRouteRef(rootRouteRef)?.() ?? '';
  const mine = useRouteRef(mineRouteRef);
  const triage = useRouteRef(triageRouteRef)?.() ?? '';
  const triageItem = useRouteRef(triageItemRouteRef);
  const statistics = useRouteRef(statisticsRouteRef)?.() ?? '';
  const issue = useRouteRef(issueRouteRef);
  return useMemo(
    () => ({
      mine: (search = '') => root + search,
      mineItem: (id: string, search = '') => (mine?.({ id }) ?? '') + search,
      triage: (search = '') => triage + search,
      triageItem: (id: string, search = '') =>
        (triageItem?.({ id }) ?? '') + search,
      statistics: () => statistics,
      issue: (number: number) => issue?.({ number: String(number) }) ?? '',
    }),
    [root, mine, triage, triageItem, statistics, issue],
  );
}
