import type { PortalClient } from '@slipway/service-kit';
import type { ImpactMetrics } from '../impact/ImpactMetrics.ts';
import type { Limit, Schedule } from '../model/Schedule.ts';

const MINUTE_MS = 60_000;
const FAILED: ReadonlySet<string> = new Set(['FAILURE', 'ROLLED_BACK']);

/** The sources of the values that limits are compared with. */
export interface LimitSources {
  impact: Pick<ImpactMetrics, 'value'>;
  /** Reads the delivery lake. */
  portal: Pick<PortalClient, 'get'>;
  /** Reads the type of an environment: `production`, … */
  typeOf: (environment: string) => Promise<string>;
  now: () => number;
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
  { environment, updatedAt }: Schedule,
  sources: LimitSources,
): Promise<string | undefined> {
  if (limit.kind === 'deployments') {
    const { service, failures } = limit;
    const failed = await countFailures(sources, {
      service,
      environment,
      since: updatedAt,
    });
    return failed >= failures
      ? `${service}: ${failed} failed ${failed === 1 ? 'deployment' : 'deployments'}`
      : undefined;
  }
  const { metric, aggregation, operator, threshold, minutes } = limit;
  const from = Math.max(sources.now() - minutes * MINUTE_MS, updatedAt);
  const value = await sources.impact.value({
    metric,
    environment,
    aggregation,
    from,
  });
  const isCrossed =
    value !== undefined &&
    (operator === '>' ? value > threshold : value < threshold);
  return isCrossed
    ? `${metric}: ${aggregation} ${Number(value.toPrecision(4))} ${operator} ${threshold}`
    : undefined;
}

/** Maps the type of an environment to one of the three of the delivery lake. */
function lakeEnvironment(type: string): string {
  if (type === 'production') {
    return 'prod';
  }
  return type === 'development' ? 'dev' : 'staging';
}

async function countFailures(
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
