import { useMemo } from 'react';
import { createRouteRef, useRouteRef } from '@backstage/frontend-plugin-api';
import type { BuildRef } from './api/BuildsApi';

/** The root page of the plugin; its first tab lists the jobs. */
export const rootRouteRef = createRouteRef();

/** Page of one job with its history. */
export const jobRouteRef = createRouteRef({ params: ['job'] });

/** Page of one build with its log. */
export const buildRouteRef = createRouteRef({ params: ['job', 'number'] });

/** Returns the parameters of the page of a job. */
export function jobParams(job: string): { job: string } {
  // The app encodes only some characters, not %, which branch names may contain.
  return { job: encodeURIComponent(job) };
}

/** Returns the parameters of the page of a build. */
export function buildParams({ job, number }: BuildRef) {
  return { ...jobParams(job), number: String(number) };
}

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
      job: (name: string) => job?.(jobParams(name)) ?? '',
      build: (name: string, number: number) =>
        build?.(buildParams({ job: name, number })) ?? '',
    }),
    [root, job, build],
  );
}
