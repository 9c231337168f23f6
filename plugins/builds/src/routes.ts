import { useMemo } from 'react';
import { createRouteRef, useRouteRef } from '@backstage/frontend-plugin-api';

/** The root page of the plugin; its first tab lists the jobs. */
export const rootRouteRef = createRouteRef();

/** Page of one job with its history. */
export const jobRouteRef = createRouteRef({ params: ['job'] });

/** Page of one build with its log. */
export const buildRouteRef = createRouteRef({ params: ['job', 'number'] });

/**
 * Returns functions that build links to the plugin's pages, wherever the app has
 * mounted them.
 */
export function useLinks() {
  const root = useRouteRef(rootRouteRef)?.() ?? '';
  const job = useRouteRef(jobRouteRef);
  const build = useRouteRef(buildRouteRef);
  return useMemo(
    () => ({
      jobs: root,
      // The app encodes only some characters, not %, which branch names may contain.
      job: (name: string) => job?.({ job: encodeURIComponent(name) }) ?? '',
      build: (name: string, number: number) =>
        build?.({ job: encodeURIComponent(name), number: String(number) }) ??
        '',
    }),
    [root, job, build],
  );
}
