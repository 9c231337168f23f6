import type {
  DeliveredChange,
  DeploymentDetails,
  IncidentDetails,
  UnmatchedResponse,
} from '@slipway/plugin-delivery-lake-common';
import { aChange, aDeployment, anIncident } from '../src/__testUtils__/records';

function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * 3_600_000).toISOString();
}

/** Returns a deployment of each kind. */
export function recordedDeployments(): DeploymentDetails[] {
  const kinds: Partial<DeploymentDetails>[] = [
    { status: 'IN_PROGRESS', endTime: null, duration: null, counted: false },
    { version: '1.4.3', rework: true, reworkCause: 'guess' },
    {
      failed: true,
      failureCause: 'incident',
      recoveredAt: hoursAgo(5),
      incidents: [
        { id: 'incident-1', title: 'Payments time out', guessed: false },
      ],
    },
    {
      service: 'a-service-with-a-name-as-long-as-names-may-be-in-a-catalog',
      failed: true,
      failureCause: 'guess',
    },
    {
      service: 'invoices',
      status: 'ROLLED_BACK',
      failed: true,
      failureCause: 'rollback',
    },
    { service: 'invoices', status: 'FAILURE', counted: false },
    { service: 'search', environment: 'staging', counted: false },
    { service: 'search', status: 'CANCELLED', counted: false },
  ];
  return kinds.map((kind, index) =>
    aDeployment({
      id: `deploy-${index + 1}`,
      startTime: hoursAgo(index * 9 + 1.1),
      endTime: hoursAgo(index * 9 + 1),
      ...kind,
    }),
  );
}

/** Returns changes with and without a lead time. */
export function recordedChanges(): DeliveredChange[] {
  return [
    aChange(),
    aChange({
      sha: 'c0ffee1'.padEnd(40, '0'),
      message:
        'Round the totals of an order the way the tax office rounds them',
      leadTimeSeconds: 190_000,
    }),
    aChange({
      sha: 'deadbee'.padEnd(40, '0'),
      message: 'Update dependencies',
      author: 'renovate',
      url: null,
      leadTimeSeconds: null,
    }),
  ];
}

/** Returns open and resolved incidents, with known and unknown causes. */
export function recordedIncidents(): IncidentDetails[] {
  return [
    anIncident({
      id: 'incident-2',
      title: 'Search answers slowly for accounts with very many orders',
      service: 'search',
      startedAt: hoursAgo(3),
      resolvedAt: null,
      durationSeconds: null,
      url: 'https://incidents.example.org/2',
      deployment: {
        id: 'deploy-4',
        version: '2.0.1',
        endTime: hoursAgo(4),
        guessed: true,
      },
    }),
    anIncident({
      startedAt: hoursAgo(18),
      resolvedAt: hoursAgo(5),
      deployment: {
        id: 'deploy-3',
        version: '1.4.2',
        endTime: hoursAgo(19),
        guessed: false,
      },
    }),
    anIncident({ id: 'incident-3', title: 'Disk full', severity: null }),
  ];
}

/** Returns unmatched data of each kind. */
export function recordedUnmatched(): UnmatchedResponse {
  return {
    services: [
      {
        name: 'cart',
        deployments: 12,
        incidents: 0,
        lastSeenAt: hoursAgo(2),
        sources: ['jenkins'],
        reason: 'ambiguous',
        candidates: ['component:default/cart', 'component:default/cart-ui'],
      },
      {
        name: 'legacy/batch-runner',
        deployments: 301,
        incidents: 4,
        lastSeenAt: hoursAgo(50),
        sources: ['github', 'pagerduty'],
        reason: 'unknown',
        candidates: [],
      },
    ],
    incidents: [
      {
        id: 'incident-9',
        title: 'Something is slow',
        startedAt: hoursAgo(30),
        source: 'pagerduty',
      },
    ],
    totalIncidents: 14,
    deploymentsWithoutChange: 7,
    deliveries: [
      {
        id: '1',
        channel: 'github',
        type: 'star',
        receivedAt: hoursAgo(1),
        outcome: 'ignored',
        reason: 'star holds nothing for the lake',
      },
      {
        id: '2',
        channel: 'gitlab',
        type: 'Deployment Hook',
        receivedAt: hoursAgo(9),
        outcome: 'rejected',
        reason: 'status_changed_at: must be a time',
      },
    ],
  };
}
