import {
  ChangeEvent,
  DeploymentEvent,
  IncidentEvent,
} from '../../events/LakeEvent';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 5);

/** Returns a moment, given in minutes from the beginning of the tests. */
export function at(minutes: number): number {
  return START + minutes * MINUTE;
}

/** Returns a SHA for a number. */
export function shaOf(number: number): string {
  return number.toString(16).padStart(40, 'a');
}

/** Creates a deployment of `shop` that finished in minute 10. */
export function aDeployment(
  fields: Partial<DeploymentEvent> = {},
): DeploymentEvent {
  return {
    kind: 'deployment',
    source: 'ci',
    externalId: '1',
    occurredAt: at(10),
    service: 'shop',
    environment: 'prod',
    status: 'SUCCESS',
    startedAt: at(5),
    finishedAt: at(10),
    ...fields,
  };
}

/** Creates a change of `acme/shop` that was committed in minute 1 and landed in minute 2. */
export function aChange(fields: Partial<ChangeEvent> = {}): ChangeEvent {
  const sha = fields.sha ?? shaOf(1);
  return {
    kind: 'change',
    source: 'forge',
    externalId: sha,
    occurredAt: at(2),
    repository: 'acme/shop',
    sha,
    committedAt: at(1),
    landedAt: at(2),
    ...fields,
  };
}

/** Creates an incident without a service that began in minute 20. */
export function anIncident(fields: Partial<IncidentEvent> = {}): IncidentEvent {
  return {
    kind: 'incident',
    source: 'pager',
    externalId: 'P1',
    occurredAt: at(20),
    title: 'Checkout fails',
    startedAt: at(20),
    ...fields,
  };
}
