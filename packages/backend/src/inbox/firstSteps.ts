import type { LoggerService } from '@backstage/backend-plugin-api';
import { z } from 'zod';
import type { Owner, PartRequest, PartsClient } from './PartsClient';
import type { StepId } from './schemas';

/**
 * The name of the demo organisation and of the sources of its data, which do not count as first
 * steps.
 */
const DEMO = 'demo';
/** Matches flags that exist in the portal from the start. */
const OWN_FLAG = /^portal\./;
/** Number of newest deployments that are searched for one outside the demo. */
const MAX_DEPLOYMENTS = 100;

/** The request that checks a step, and the parser of its response: true if the step has happened. */
interface Check extends PartRequest {
  answer: z.ZodType<boolean>;
}

const CHECKS: Readonly<Record<StepId, Check>> = {
  connect: {
    plugin: 'delivery-lake',
    path: '/status',
    answer: z
      .object({ sources: z.array(z.object({ source: z.string() })) })
      .transform(({ sources }) =>
        sources.some(({ source }) => source !== DEMO),
      ),
  },
  workspace: {
    plugin: 'ide-launcher',
    path: '/workspaces',
    answer: z
      .object({
        workspaces: z.array(z.object({ importedFrom: z.string().nullish() })),
      })
      // Workspaces of the demo, like other imports, count only once they have run.
      .transform(({ workspaces }) =>
        workspaces.some(({ importedFrom }) => !importedFrom),
      ),
  },
  build: {
    service: 'build-server',
    path: '/api/json?tree=jobs[name,lastBuild[number]]',
    answer: z
      .object({
        jobs: z.array(
          z.object({ name: z.string(), lastBuild: z.object({}).nullable() }),
        ),
      })
      .transform(({ jobs }) =>
        jobs.some(
          ({ name, lastBuild }) => lastBuild && !name.startsWith(`${DEMO}-`),
        ),
      ),
  },
  deployment: {
    plugin: 'delivery-lake',
    path: `/deployments?limit=${MAX_DEPLOYMENTS}`,
    answer: z
      .object({ deployments: z.array(z.object({ service: z.string() })) })
      .transform(({ deployments }) =>
        deployments.some(({ service }) => !service.startsWith(`${DEMO}/`)),
      ),
  },
  flag: {
    service: 'feature-flags',
    path: '/api/admin/features',
    answer: z
      .object({
        features: z.array(z.object({ name: z.string(), project: z.string() })),
      })
      .transform(({ features }) =>
        features.some(
          ({ name, project }) => project !== DEMO && !OWN_FLAG.test(name),
        ),
      ),
  },
  team: {
    service: 'analytics',
    path: '/api/projects/portal/query',
    body: {
      query: {
        kind: 'EventsQuery',
        select: ['count(distinct distinct_id)'],
        after: '-30d',
      },
    },
    answer: z
      .object({ results: z.array(z.array(z.coerce.number())) })
      .transform(({ results }) => (results[0]?.[0] ?? 0) > 1),
  },
};

/**
 * Returns a function that queries the parts, on behalf of a user, for which of the given first
 * steps have happened: true or false for each, or null if its part does not respond.
 */
export function createFirstSteps(options: {
  parts: Pick<PartsClient, 'request'>;
  logger: LoggerService;
}) {
  const { parts, logger } = options;
  const check = async (owner: Owner, id: StepId) => {
    const { answer, ...request } = CHECKS[id];
    try {
      return answer.parse(await parts.request(owner, request));
    } catch (error) {
      logger.debug(`The step '${id}' could not be checked: ${error}`);
      return null;
    }
  };
  return async (
    owner: Owner,
    ids: readonly StepId[],
  ): Promise<Partial<Record<StepId, boolean | null>>> =>
    Object.fromEntries(
      await Promise.all(
        ids.map(async id => [id, await check(owner, id)] as const),
      ),
    );
}
