import {
  createFakeFlagsApi,
  type FakeFlagsApi,
} from '../src/__testUtils__/FakeFlagsApi';
import { aFlag } from '../src/__testUtils__/FakeState';

const LONG_NAME =
  'payments.settle-invoices-with-the-new-ledger-of-the-accounting-department';

/** Creates a fake service with data for every page, including long names. */
export function createSampleApi(): FakeFlagsApi {
  const api = createFakeFlagsApi();
  const now = Date.now();
  const hoursFromNow = (hours: number) =>
    new Date(now + hours * 3_600_000).toISOString();
  api.segments = [
    {
      id: 1,
      name: 'European customers',
      description: 'Customers with an invoice address in the EU',
      constraints: [
        { contextName: 'region', operator: 'IN', values: ['eu'] },
        { contextName: 'userId', operator: 'STR_STARTS_WITH', values: ['eu-'] },
      ],
    },
  ];
  api.channels = [
    {
      id: 1,
      revision: 1,
      name: 'Team Checkout, in the channel for releases and incidents',
      kind: 'slack',
      host: 'hooks.slack.com',
      signed: false,
      projects: ['default'],
      environments: ['production'],
      events: ['flag-switched', 'strategies-changed', 'schedule-paused'],
      enabled: true,
    },
    {
      id: 2,
      revision: 1,
      name: 'Operations',
      kind: 'teams',
      host: 'prod-04.westeurope.logic.azure.com',
      signed: false,
      projects: ['*'],
      environments: ['*'],
      events: ['*'],
      enabled: false,
    },
  ];
  api.cleanUp = [
    {
      name: LONG_NAME,
      project: 'default',
      type: 'release',
      stale: false,
      reasons: ['overdue', 'unused', 'on-everywhere'],
      owner: 'group:default/payments',
      lastUsedAt: hoursFromNow(-1_000),
      environments: [],
      references: 12,
    },
    {
      name: 'old-search',
      project: 'default',
      type: 'experiment',
      stale: true,
      reasons: ['stale'],
      owner: null,
      lastUsedAt: null,
      environments: [],
      references: 0,
      issue: { number: 42, url: 'http://localhost:8080/issues/42' },
    },
  ];
  api.references = [12, 48].map(line => ({
    repository: 'https://github.com/shop/web',
    commit: 'abc',
    path: 'packages/checkout/src/components/CheckoutForm.tsx',
    line,
    text: "const isNew = useFlag('new-checkout');",
    url: `https://github.com/shop/web/blob/abc/CheckoutForm.tsx#L${line}`,
    scannedAt: hoursFromNow(-30),
  }));
  api.deliveries = [
    {
      id: 'two',
      text: 'new-checkout was turned on in production by ada',
      state: 'pending',
      attempts: 2,
      createdAt: hoursFromNow(-1),
      lastError: 'The receiver answered 503',
    },
    {
      id: 'one',
      text: 'new-checkout was changed in production by grace',
      state: 'delivered',
      attempts: 1,
      createdAt: hoursFromNow(-5),
      lastError: null,
    },
  ];
  const rule = {
    id: 'rule-1',
    name: 'flexibleRollout',
    parameters: {
      rollout: '25',
      stickiness: 'default',
      groupId: 'new-checkout',
    },
    segments: [1],
    constraints: [
      { contextName: 'region', operator: 'IN', values: ['eu', 'us'] },
    ],
    variants: [
      {
        name: 'blue',
        weight: 500,
        weightType: 'variable',
        stickiness: 'default',
        payload: { type: 'json', value: '{"color":"blue"}' },
      },
      {
        name: 'green',
        weight: 500,
        weightType: 'variable',
        stickiness: 'default',
      },
    ],
  };
  api.flags = [
    ...api.flags,
    aFlag({
      name: 'new-checkout',
      description: 'The form in one step',
      enabled: true,
      strategies: [rule],
      variants: [
        {
          name: 'dark',
          weight: 1_000,
          weightType: 'variable',
          stickiness: 'userId',
          overrides: [{ contextName: 'userId', values: ['ada', 'grace'] }],
        },
      ],
      dependencies: [
        { feature: 'checkout', enabled: true },
        { feature: LONG_NAME, enabled: false },
      ],
      tags: [
        { type: 'simple', value: 'shop' },
        { type: 'team', value: 'payments' },
      ],
      links: [
        {
          id: '1',
          url: 'https://issues.example.org/SHOP-42',
          title: 'SHOP-42 One-step checkout',
        },
        { id: '2', url: `https://example.org/${LONG_NAME}` },
      ],
    }),
    aFlag({
      name: LONG_NAME,
      description:
        'A flag whose description goes on for a while, so that lists show where they cut it off',
      type: 'kill-switch',
      project: 'payments',
    }),
  ];
  api.user = { ...api.user, projects: ['default', 'payments'] };
  api.projects = [
    ...api.projects,
    { id: 'payments', name: 'Payments', owner: null },
  ];
  api.production = { ...api.production, protected: true, strategies: [rule] };
  api.variants.set('new-checkout', 'blue');
  const after = { enabled: true, strategies: [rule], variants: [] };
  api.requests = [
    {
      id: 1,
      featureName: 'new-checkout',
      environment: 'production',
      state: 'In review',
      createdBy: 'user:default/grace',
      createdAt: hoursFromNow(-3),
      updatedAt: hoursFromNow(-2),
      scheduledAt: null,
      endedBy: null,
      requiredApprovals: 2,
      approvals: ['user:default/lin'],
      mayApprove: true,
      reviews: [
        {
          createdBy: 'user:default/lin',
          createdAt: hoursFromNow(-2),
          verdict: 'approved',
          comment: 'Looks good',
        },
      ],
      change: {
        before: { enabled: false, strategies: [], variants: [] },
        after,
      },
    },
  ];
  api.schedules = [
    {
      id: 1,
      featureName: 'new-checkout',
      environment: 'development',
      state: 'active',
      reason: null,
      nextStep: 1,
      createdBy: 'user:default/ada',
      steps: [
        { at: hoursFromNow(-24), percentage: 5, enabled: true },
        { at: hoursFromNow(0.5), percentage: 25 },
        { at: hoursFromNow(24), percentage: 100 },
      ],
      limits: [{ kind: 'deployments', service: 'shop', failures: 1 }],
      whenCrossed: 'pause',
    },
  ];
  api.history = [
    {
      id: 2,
      type: 'feature-updated',
      environment: 'development',
      createdBy: 'user:default/ada',
      createdAt: hoursFromNow(-1),
      preData: { enabled: false, strategies: [] },
      data: after,
    },
    {
      id: 1,
      type: 'feature-created',
      createdBy: 'token:ci',
      createdAt: hoursFromNow(-30),
      preData: null,
      data: {},
    },
  ];
  api.tokens = ['shop', 'a-service-for-invoices-and-credit-notes'].map(
    (tokenName, index) => ({
      id: String(index),
      tokenName,
      type: index === 0 ? 'client' : 'frontend',
      projects: index === 0 ? ['*'] : ['payments'],
      environment: 'production',
      createdBy: 'user:default/ada',
      createdAt: hoursFromNow(-100),
      ...(index === 1 && { expiresAt: hoursFromNow(-1) }),
    }),
  );
  const seenAt = hoursFromNow(-0.1);
  api.applications = [
    {
      appName: 'shop',
      instances: 3,
      sdkVersions: ['unleash-client-node:3.1.0', 'unleash-client-go:4.1.0'],
      seenAt,
    },
    {
      appName: 'a-service-for-invoices-and-credit-notes',
      instances: 1,
      sdkVersions: [],
      seenAt,
    },
  ];
  api.outdatedSdks = [
    {
      sdkVersion: 'unleash-client-node:3.1.0',
      minimum: '4.2.0',
      applications: [{ appName: 'shop', environment: 'production' }],
    },
  ];
  api.unknownFlags = [
    {
      name: 'chekout',
      lastSeenAt: seenAt,
      reports: [
        {
          appName: 'shop',
          environments: [
            { environment: 'development', seenAt },
            { environment: 'production', seenAt },
          ],
        },
      ],
    },
  ];
  return api;
}
