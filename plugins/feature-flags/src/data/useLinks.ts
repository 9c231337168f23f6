import { useMemo } from 'react';
import { useRouteRef } from '@backstage/frontend-plugin-api';
import { accessRouteRef, flagRouteRef, rootRouteRef } from '../routes';

/** Addresses of the plugin's pages, wherever the app has mounted them. */
export function useLinks() {
  const list = useRouteRef(rootRouteRef)?.() ?? '';
  const access = useRouteRef(accessRouteRef)?.() ?? '';
  const flag = useRouteRef(flagRouteRef);
  return useMemo(
    () => ({
      list,
      access,
      flag: (name: string) => flag?.({ name: encodeURIComponent(name) }) ?? '',
    }),
    [list, access, flag],
  );
}
