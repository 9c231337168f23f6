import type {
  DeliveredChange,
  DeploymentDetails,
  IncidentDetails,
} from '@slipway/plugin-delivery-lake-common';

/** Creates a successful deployment, with overrides. */
export function aDeployment(
  different: Partial<DeploymentDetails> = {},
): DeploymentDetails {
  return {
    id: 'deploy-1',
    version: '1.4.2',
    environment: 'prod',
    status: 'SUCCESS',
    startTime: '2026-11-20T09:00:00.000Z',
    endTime: '2026-11-20T09:04:00.000Z',
    duration: 240,
    triggeredBy: 'ada',
    commit: {
      sha: '5f2d9c1e7a3b48d6925c0e1f7b6a4d3c2e1f0a9b',
      message: 'Say what is in the basket',
      author: 'ada',
    },
    service: 'checkout',
    entityRef: 'component:default/checkout',
    team: 'payments',
    project: 'shop',
    repository: 'example/checkout',
    url: 'https://ci.example.org/builds/42',
    source: 'jenkins',
    counted: true,
    failed: false,
    failureCause: null,
    rework: false,
    reworkCause: null,
    recoveredAt: null,
    incidents: [],
    ...different,
  };
}

/** Creates a change with a lead time of five hours. */
export function aChange(
  different: Partial<DeliveredChange> = {},
): DeliveredChange {
  return {
    sha: '5f2d9c1e7a3b48d6925c0e1f7b6a4d3c2e1f0a9b',
    repository: 'example/checkout',
    message: 'Say what is in the basket',
    author: 'ada',
    committedAt: '2026-11-20T04:04:00.000Z',
    url: 'https://git.example.org/checkout/commit/5f2d9c1',
    leadTimeSeconds: 18_000,
    ...different,
  };
}

/** Creates a resolved incident of unknown cause. */
export function anIncident(
  different: Partial<IncidentDetails> = {},
): IncidentDetails {
  return {
    id: 'incident-1',
    title: 'Payments time out',
    service: 'checkout',
    entityRef: 'component:default/checkout',
    team: 'payments',
    project: 'shop',
    environment: 'prod',
    severity: 'critical',
    startedAt: '2026-11-20T10:00:00.000Z',
    resolvedAt: '2026-11-20T11:30:00.000Z',
    durationSeconds: 5400,
    url: null,
    source: 'pagerduty',
    deployment: null,
    ...different,
  };
}
