import {
  InvalidRequestError,
  PortalAnswerError,
  type PortalClient,
} from '@slipway/service-kit';
import type { ImpactMetrics } from '../impact/ImpactMetrics.ts';
import type { Limit, MetricLimit, Schedule } from '../model/Schedule.ts';
import type { BuildServer } from './BuildServer.ts';

const MINUTE_MS = 60_000;
/** The annotation that lists the jobs of a component, separated by commas. */
const JOBS = 'slipway.dev/build-job';
const FAILED: ReadonlySet<string> = new Set(['FAILURE', 'ROLLED_BACK']);

/** The sources of the values that limits are compared with. */
export interface LimitSources {
  impact: Pick<ImpactMetrics, 'value'>;
  /** Reads the delivery lake and the catalog. */
  portal: Pick<PortalClient, 'get'>;
  /** Undefined if none is configured. */
  builds: Pick<BuildServer, 'countFailures'> | undefined;
  /** Reads the type of an environment: `production`, … */
  typeOf: (environment: string) => Promise<string>;
  now: () => number;
}

type BuildSources = Pick<LimitSources, 'portal' | 'builds'>;

/** A limit on builds that can never be checked as configured. */
class UncountableBuildsError extends Error {
  /** The field of the limit that is wrong. */
  readonly field: 'kind' | 'service';

  constructor(field: 'kind' | 'service', message: string) {
    super(message);
    this.field = field;
  }
}

/**
 * Checks that the builds of new limits can be counted. Limits are not rejected while the build server
 * is not responding.
 *
 * @throws InvalidRequestError naming the field.
 */
export async function assertCountable(
  limits: readonly Limit[],
  sources: BuildSources & Pick<LimitSources, 'now'>,
): Promise<void> {
  for (const [index, limit] of limits.entries()) {
    if (limit.kind !== 'builds') {
      continue;
    }
    const { service } = limit;
    try {
      await failedBuilds(sources, { service, since: sources.now() });
    } catch (error) {
      if (error instanceof UncountableBuildsError) {
        const field = `limits.${index}.${error.field}`;
        throw new InvalidRequestError(`${field}: ${error.message}`, {
          field,
          constraint: 'enum',
        });
      }
    }
  }
}

/**
 * Checks whether a schedule has crossed one of its limits since its latest step.
 *
 * @returns a description; undefined if no limit has been crossed.
 * @throws Error if the check fails, e.g. while the portal is down.
 */
export async function findCrossed(
  schedule: Schedule,
  sources: LimitSources,
): Promise<string | undefined> {
  for (const limit of schedule.limits) {
    const crossed = await check(limit, schedule, sources);
    if (crossed !== undefined) {
      return crossed;
    }
  }
  return undefined;
}

async function check(
  limit: Limit,
  schedule: Schedule,
  sources: LimitSources,
): Promise<string | undefined> {
  if (limit.kind === 'metric') {
    return checkMetric(limit, schedule, sources);
  }
  const { kind, service, failures } = limit;
  const { environment, updatedAt: since } = schedule;
  const failed = await (kind === 'deployments'
    ? failedDeployments(sources, { service, environment, since })
    : failedBuilds(sources, { service, since }));
  const noun = kind === 'deployments' ? 'deployment' : 'build';
  return failed >= failures
    ? `${service}: ${failed} failed ${noun}${failed === 1 ? '' : 's'}`
    : undefined;
}

async function checkMetric(
  { metric, aggregation, operator, threshold, minutes }: MetricLimit,
  { environment, updatedAt }: Schedule,
  { impact, now }: LimitSources,
): Promise<string | undefined> {
  const from = Math.max(now() - minutes * MINUTE_MS, updatedAt);
  const value = await impact.value({ metric, environment, aggregation, from });
  const isCrossed =
    value !== undefined &&
    (operator === '>' ? value > threshold : value < threshold);
  return isCrossed
    ? `${metric}: ${aggregation} ${Number(value.toPrecision(4))} ${operator} ${threshold}`
    : undefined;
}

/** Maps the type of an environment to one of the three environments of the delivery lake. */
function lakeEnvironment(type: string): string {
  if (type === 'production') {
    return 'prod';
  }
  return type === 'development' ? 'dev' : 'staging';
}

async function failedDeployments(
  { portal, typeOf }: LimitSources,
  query: { service: string; environment: string; since: number },
): Promise<number> {
  const search = new URLSearchParams({
    service: query.service,
    environment: lakeEnvironment(await typeOf(query.environment)),
    limit: '100',
  });
  const body = (await portal.get(
    `/api/delivery-lake/deployment-history?${search}`,
  )) as { deployments: { status: string; startTime: string }[] };
  return body.deployments.filter(
    ({ status, startTime }) =>
      FAILED.has(status) && Date.parse(startTime) >= query.since,
  ).length;
}

/** Counts the failed builds of a service. @throws UncountableBuildsError */
async function failedBuilds(
  { portal, builds }: BuildSources,
  { service, since }: { service: string; since: number },
): Promise<number> {
  if (!builds) {
    throw new UncountableBuildsError(
      'kind',
      'builds cannot be counted: featureFlags.builds names no build server',
    );
  }
  const jobs = await jobsOf(portal, service);
  const counts = await Promise.all(
    jobs.map(job => builds.countFailures(job, since)),
  );
  const missing = jobs.filter((_job, index) => counts[index] === undefined);
  if (missing.length > 0) {
    throw new UncountableBuildsError(
      'service',
      `the build server has no job ${missing.join(', ')}`,
    );
  }
  return counts.reduce<number>((sum, count = 0) => sum + count, 0);
}

/** Returns the jobs in the annotation of a component; without it, the component's name. */
async function jobsOf(
  portal: LimitSources['portal'],
  service: string,
): Promise<string[]> {
  const path = `/api/catalog/entities/by-name/component/default/${encodeURIComponent(service)}`;
  try {
    const { metadata } = (await portal.get(path)) as {
      metadata: { annotations?: Record<string, string> };
    };
    const named = (metadata.annotations?.[JOBS] ?? '')
      .split(',')
      .map(job => job.trim())
      .filter(Boolean);
    return named.length > 0 ? named : [service];
  } catch (error) {
    if (error instanceof PortalAnswerError && error.status === 404) {
      return [service];
    }
    throw error;
  }
}
