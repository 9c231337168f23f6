import fc from 'fast-check';
import { RawIncident } from '../RawEvent';
import { HISTORY_MINUTES } from './commitHistories';
import {
  deploymentKey,
  DeploymentPlan,
  finishOf,
  SERVICES,
} from './deploymentHistories';

const MINUTE_MS = 60_000;

/** A planned incident. Minutes count from the deployment it follows. */
export interface IncidentPlan {
  service?: string;
  environment: string;
  /** Index of the deployment that it begins after. */
  after: number;
  delay: number;
  /** Duration in minutes; null while it is open. */
  lasted: number | null;
  /** The deployment that it links to: the one it follows, an unknown one, or none. */
  link: 'that' | 'unknown' | 'none';
  told: 'once' | 'opened-resolved' | 'reopened' | 'unlinked' | 'deleted';
}

export const incidentPlan: fc.Arbitrary<IncidentPlan> = fc.record({
  service: fc.option(fc.constantFrom('shop', ...SERVICES), {
    nil: undefined,
    freq: 6,
  }),
  environment: fc.constantFrom('prod', 'prod', 'prod', 'staging'),
  after: fc.nat(15),
  delay: fc.oneof(
    fc.integer({ min: 0, max: 1_300 }),
    fc.integer({ min: 1_200, max: 5_000 }),
  ),
  lasted: fc.option(
    fc.oneof(
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 1, max: HISTORY_MINUTES / 3 }),
    ),
    { freq: 7 },
  ),
  link: fc.constantFrom('that', 'none', 'none', 'unknown'),
  told: fc.constantFrom(
    'once' as const,
    'once' as const,
    'opened-resolved' as const,
    'reopened' as const,
    'unlinked' as const,
    'deleted' as const,
  ),
});

function linkOf(
  plan: IncidentPlan,
  deployments: DeploymentPlan[],
): RawIncident['deployment'] {
  if (plan.link === 'unknown') {
    return { source: 'ci', id: 'unheard-of' };
  }
  return plan.link === 'that'
    ? deploymentKey(plan.after % deployments.length)
    : undefined;
}

function told(event: RawIncident, plan: IncidentPlan): RawIncident[] {
  const { kind, source, id } = event;
  const occurredAt = new Date(
    Date.parse(event.occurredAt) + HISTORY_MINUTES * MINUTE_MS,
  ).toISOString();
  const later = { kind, source, id, occurredAt } as const;
  switch (plan.told) {
    case 'opened-resolved':
      return [
        { ...event, resolvedAt: undefined },
        { ...later, resolvedAt: event.resolvedAt },
      ];
    case 'reopened':
      return [event, { ...later, resolvedAt: null }];
    case 'unlinked':
      return [event, { ...later, deployment: null }];
    case 'deleted':
      return [event, { ...later, deleted: true }];
    default:
      return [event];
  }
}

/** Returns the events that an incident tool sends about the planned incidents. */
export function incidentEvents(
  origin: number,
  plans: IncidentPlan[],
  deployments: DeploymentPlan[],
): RawIncident[] {
  return plans.flatMap((plan, index) => {
    const after = plan.after % deployments.length;
    // Fractions of a second, so that no two moments of deployments and incidents coincide.
    const startedAt =
      finishOf(origin, deployments[after], after) +
      plan.delay * MINUTE_MS +
      48 * MINUTE_MS * Number(deployments[after].told === 'corrected') +
      index * 1_000 +
      333;
    return told(
      {
        kind: 'incident',
        source: 'pager',
        id: `i-${index}`,
        occurredAt: new Date(startedAt).toISOString(),
        service: plan.service,
        environment: plan.environment,
        title: `Incident ${index}`,
        startedAt: new Date(startedAt).toISOString(),
        resolvedAt:
          plan.lasted === null
            ? undefined
            : new Date(startedAt + plan.lasted * MINUTE_MS + 333).toISOString(),
        deployment: linkOf(plan, deployments),
      },
      plan,
    );
  });
}
