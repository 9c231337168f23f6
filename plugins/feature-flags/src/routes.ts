import { useMemo } from 'react';
import { createRouteRef, useRouteRef } from '@backstage/frontend-plugin-api';

/** The page of the plugin; its first tab lists the flags. */
export const rootRouteRef = createRouteRef();

/** One flag. */
export const flagRouteRef = createRouteRef({ params: ['name'] });

/** The tokens of SDKs, and how to connect one. */
export const accessRouteRef = createRouteRef();

/** Changes that are still to come. */
export const changesRouteRef = createRouteRef();

/** Addresses of the plugin's pages, wherever the app has mounted them. */
export function useLinks() {
  const list = useRouteRef(rootRouteRef)?.() ?? '';
  const access = useRouteRef(accessRouteRef)?.() ?? '';
  const requests = useRouteRef(changesRouteRef)?.() ?? '';
  const flag = useRouteRef(flagRouteRef);
  return useMemo(
    () => ({
      list,
      access,
      requests,
      flag: (name: string) => flag?.({ name: encodeURIComponent(name) }) ?? '',
    }),
    [list, access, requests, flag],
  );
}
