import { useMemo } from 'react';
import {
  createRouteRef,
  createSubRouteRef,
  useRouteRef,
} from '@backstage/frontend-plugin-api';

/** The page of the plugin; its first tab lists the flags. */
export const rootRouteRef = createRouteRef();

/** One flag. */
export const flagRouteRef = createRouteRef({ params: ['name'] });

/** The tokens of SDKs, and how to connect one. */
export const accessRouteRef = createRouteRef();

/** Pending changes: change requests and schedules. */
export const changesRouteRef = createRouteRef();

/** The results of all flags for contexts. */
export const playgroundRouteRef = createRouteRef();

/** One flag of the playground, next to the results. */
const playgroundFlagRouteRef = createSubRouteRef({
  parent: playgroundRouteRef,
  path: '/:name',
});

/** Returns the URLs of the plugin's pages, wherever the app has mounted them. */
export function useLinks() {
  const list = useRouteRef(rootRouteRef)?.() ?? '';
  const access = useRouteRef(accessRouteRef)?.() ?? '';
  const requests = useRouteRef(changesRouteRef)?.() ?? '';
  const playground = useRouteRef(playgroundRouteRef)?.() ?? '';
  const playgroundFlag = useRouteRef(playgroundFlagRouteRef);
  const flag = useRouteRef(flagRouteRef);
  return useMemo(
    () => ({
      list,
      access,
      requests,
      playground,
      playgroundFlag: (name: string) =>
        playgroundFlag?.({ name: encodeURIComponent(name) }) ?? '',
      flag: (name: string) => flag?.({ name: encodeURIComponent(name) }) ?? '',
    }),
    [list, access, requests, playground, playgroundFlag, flag],
  );
}
