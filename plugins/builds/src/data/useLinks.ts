import { useMemo } from 'react';
import { useRouteRef } from '@backstage/frontend-plugin-api';
import { buildRouteRef, jobRouteRef, rootRouteRef } from '../routes';

/** Addresses of the plugin's pages, wherever the app has mounted them. */
export function useLinks() {
  const root = useRouteRef(rootRouteRef)?.() ?? '';
  const job = useRouteRef(jobRouteRef);
  const build = useRouteRef(buildRouteRef);
  return useMemo(
    () => ({
      jobs: root,
      job: (name: string) => job?.({ job: name }) ?? '',
      build: (name: string, number: number) =>
        build?.({ job: name, number: String(number) }) ?? '',
    }),
    [root, job, build],
  );
}
