import { createApiRef } from '@backstage/frontend-plugin-api';
import type { ServiceClient } from '@slipway/app-react';

/** The steps that the checklist checks. */
export type CheckId =
  'connect' | 'workspace' | 'build' | 'deployment' | 'flag' | 'team';

/** Names and sources of the demo organisation, which do not count as a user's first. */
const DEMO = 'demo';
/** Flags that exist in the portal from the start. */
const OWN_FLAG = /^portal\./;

type Clients = Record<
  'lake' | 'workspaces' | 'builds' | 'flags' | 'analytics',
  Pick<ServiceClient, 'json'>
>;

/** Queries the parts of the platform for the completed steps. */
export class Checks {
  readonly #clients: Clients;

  constructor(clients: Clients) {
    this.#clients = clients;
  }

  /** Checks whether a step has happened. @throws the error of the part. */
  async isDone(id: CheckId): Promise<boolean> {
    const { lake, workspaces, builds, flags, analytics } = this.#clients;
    switch (id) {
      case 'connect': {
        const { sources } = await lake.json<{ sources: { source: string }[] }>(
          '/status',
        );
        return sources.some(({ source }) => source !== DEMO);
      }
      case 'workspace': {
        const list = await workspaces.json<{ workspaces: unknown[] }>(
          '/workspaces',
        );
        return list.workspaces.length > 0;
      }
      case 'build': {
        const { jobs } = await builds.json<{
          jobs: { name: string; lastBuild: object | null }[];
        }>('/api/json', { query: { tree: 'jobs[name,lastBuild[number]]' } });
        return jobs.some(
          ({ name, lastBuild }) => lastBuild && !name.startsWith(`${DEMO}-`),
        );
      }
      case 'deployment': {
        const { deployments } = await lake.json<{
          deployments: { service: string }[];
        }>('/deployments', { query: { limit: 100 } });
        return deployments.some(
          ({ service }) => !service.startsWith(`${DEMO}/`),
        );
      }
      case 'flag': {
        const { features } = await flags.json<{
          features: { name: string; project: string }[];
        }>('/features');
        return features.some(
          ({ name, project }) => project !== DEMO && !OWN_FLAG.test(name),
        );
      }
      case 'team': {
        const { results } = await analytics.json<{ results: number[][] }>(
          '/projects/portal/query',
          {
            method: 'POST',
            body: {
              query: {
                kind: 'EventsQuery',
                select: ['count(distinct distinct_id)'],
                after: '-30d',
              },
            },
          },
        );
        return Number(results[0]?.[0] ?? 0) > 1;
      }
      default:
        return false;
    }
  }
}

export const checksApiRef = createApiRef<Pick<Checks, 'isDone'>>({
  id: 'app.getting-started',
});
