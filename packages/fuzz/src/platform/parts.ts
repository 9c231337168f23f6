import { repositoryRoot } from '@slipway/dev-runner/src/layout.ts';
import { readServices } from '@slipway/dev-runner/src/readAddresses.ts';
import type { ErrorFormat } from '../judge.ts';
import type { Credential } from '../requests/headers.ts';
import type { KnownValues } from '../requests/values.ts';
import type { Platform } from './Platform.ts';

/** The credentials of portal users. */
export interface Sessions {
  /** Tokens of an admin and of a member of a product team. */
  ada: string;
  grace: string;
  /** The session cookie of ada as a browser sends it: name and value. */
  cookie: string;
}

/** An interface to attack. */
export interface Part {
  name: string;
  /** `portal`, or the name of a service. */
  process: string;
  /** The prefix of its routes. */
  prefix: string;
  errors: ErrorFormat;
  /** A request that always gets a 200 response, whatever was sent before. */
  ordinary: { path: string; credential?: Credential };
  credentials(sessions: Sessions): Credential[];
  /** Returns existing ids and names, after creating missing objects. */
  prepare(platform: Platform): Promise<KnownValues>;
}

const groupA: ErrorFormat = { ours: ['error'] };
const groupB: ErrorFormat = { ours: ['error', 'status', 'timestamp'] };

const serviceToken = bearer('dev-service-token');
const developer = basic('dev', 'dev-api-token');
const flagAdmin = verbatim('Authorization', '*:*.dev-admin-token');
const automationKey = verbatim('X-API-Key', 'dev-automation-key');
const spaceKey = verbatim('X-API-Key', 'dev-space-key');

const PERIOD = ['2026-10-01', '2026-11-20T00:00:00Z', '2026-11-22'];
const TEAMS = ['payments', 'group:default/payments'];
const FLAGS = ['portal.flag-usage', 'fuzzed.one', 'fuzzed.two'];

/** The parts that need more than their OpenAPI description. */
const knownParts: readonly Part[] = [
  {
    name: 'ide-launcher',
    process: 'portal',
    prefix: '/api/ide-launcher/',
    errors: groupA,
    ordinary: {
      path: '/api/ide-launcher/workspaces',
      credential: serviceToken,
    },
    credentials: portalCredentials,
    prepare: async ({ addresses: { forge } }) => ({
      devfileUrl: [`${forge}/devfile.yaml`, `${forge}/wrong.yaml`],
      name: ['fuzzed-one', 'fuzzed-two'],
    }),
  },
  {
    name: 'delivery-lake',
    process: 'portal',
    prefix: '/api/delivery-lake/',
    errors: groupA,
    ordinary: {
      path: '/api/delivery-lake/dora-metrics',
      credential: serviceToken,
    },
    credentials: portalCredentials,
    prepare: async () => ({
      startDate: PERIOD,
      endDate: PERIOD,
      team: TEAMS,
      service: ['checkout', 'component:default/checkout'],
      path: ['connections/1/deployments', 'connections/1/incidents'],
    }),
  },
  {
    name: 'catalog',
    process: 'portal',
    prefix: '/api/catalog/',
    // Routes outside the contract are Backstage's own, and so are their errors.
    errors: { ours: ['error'], theirs: ['error', 'request', 'response'] },
    ordinary: { path: '/api/catalog/entities', credential: serviceToken },
    credentials: portalCredentials,
    prepare: async ({ addresses: { forge } }) => ({
      target: [`${forge}/catalog-info.yaml`, `${forge}/nothing.yaml`],
      filter: ['kind=component', 'kind=component,metadata.name=shop'],
      fields: ['metadata.name', 'kind,spec.owner'],
    }),
  },
  {
    name: 'analytics',
    process: 'analytics',
    prefix: '/',
    errors: { ours: ['type', 'code', 'detail', 'attr'] },
    ordinary: { path: '/health' },
    credentials: sessions => [
      bearer('phx_dev_api_token'),
      verbatim('X-Api-Key', 'phc_dev_project_key'),
      ...usersOf(sessions),
    ],
    prepare: async () => ({
      api_key: ['phc_dev_project_key'],
      projectId: ['default', 'portal'],
      event: ['$pageview', 'signed up'],
      select: [['*'], ['event', 'count()'], ['properties.$browser', 'count()']],
      where: [
        ["event = 'signed up'"],
        ["properties.a.b != 'c'", 'distinct_id'],
      ],
      orderBy: [['timestamp DESC'], ['count() DESC']],
    }),
  },
  {
    name: 'build-server',
    process: 'build-server',
    prefix: '/',
    errors: { ours: ['message'] },
    ordinary: { path: '/api/json', credential: developer },
    credentials: sessions => [
      developer,
      basic('viewer', 'dev-viewer-token'),
      { name: 'webhook token', headers: [], query: 'token=dev-webhook-token' },
      ...usersOf(sessions),
    ],
    prepare: async ({ addresses }) => {
      await send(
        `${addresses.services['build-server']}/job/hello/build`,
        developer,
      );
      return {
        job: ['hello', 'hello-parameters'],
        build: ['1', '2', 'lastBuild', 'lastSuccessfulBuild'],
        id: ['1', '2'],
        tree: [
          '*',
          'jobs[name,lastBuild[number,result]]{0,2}',
          'jobs['.repeat(2_000),
          `${'a,'.repeat(4_000)}`,
          'builds{99999999999999999999,}',
        ],
        parameter: [
          [{ name: 'BRANCH', value: 'main' }],
          [{ name: 'PATH', value: '/tmp' }],
        ],
      };
    },
  },
  {
    name: 'feature-flags',
    process: 'feature-flags',
    prefix: '/',
    errors: { ours: ['name', 'message', 'details'] },
    ordinary: { path: '/api/admin/features', credential: flagAdmin },
    credentials: sessions => [
      flagAdmin,
      verbatim('Authorization', '*:development.dev-client-token'),
      verbatim('Authorization', '*:development.dev-frontend-token'),
      ...usersOf(sessions),
    ],
    prepare: async () => ({
      featureName: FLAGS,
      name: FLAGS,
      project: ['default', '*'],
      environment: ['development'],
      appName: ['fuzz'],
    }),
  },
  {
    name: 'feedback',
    process: 'feedback',
    prefix: '/',
    errors: groupB,
    ordinary: { path: '/api/v1/feedback/options' },
    credentials: sessions => [automationKey, ...usersOf(sessions)],
    prepare: async ({ addresses }) => {
      const sent = await send(
        `${addresses.services.feedback}/api/v1/feedback`,
        undefined,
        {
          rating: 2,
          category: 'CI/CD',
          message: 'The build hangs after the upgrade',
          user: { id: 'ada', name: 'Ada' },
        },
      );
      return {
        id: [(sent as { id: string }).id],
        number: ['1'],
        start_date: PERIOD,
        end_date: PERIOD,
        category: ['CI/CD', 'Other'],
        text: ['@feedback help', '@feedback status', 'The build hangs'],
      };
    },
  },
  {
    name: 'space-metrics',
    process: 'space-metrics',
    prefix: '/',
    errors: groupB,
    ordinary: { path: '/api/v1/metrics/space', credential: spaceKey },
    credentials: sessions => [spaceKey, ...usersOf(sessions)],
    prepare: async () => ({
      id: ['ada', 'user:default/grace'],
      user_id: ['ada', 'grace', 'user:default/ada'],
      team: TEAMS,
      start_date: PERIOD,
      end_date: PERIOD,
      timestamp: ['2026-11-20T10:00:00Z'],
    }),
  },
  {
    name: 'design-site',
    process: 'design-site',
    prefix: '/',
    errors: 'pages',
    ordinary: { path: '/health' },
    credentials: () => [],
    prepare: async () => ({}),
  },
];

/** All parts, in the order in which they are attacked; new services are added automatically. */
export const parts: readonly Part[] = [
  ...knownParts,
  ...readServices(repositoryRoot)
    .map(({ name }) => name)
    .filter(name => !knownParts.some(part => part.process === name))
    .map((name): Part => ({
      name,
      process: name,
      prefix: '/',
      errors: groupB,
      ordinary: { path: '/health' },
      credentials: sessions => [
        verbatim('X-API-Key', 'dev-new-service-key'),
        ...usersOf(sessions),
      ],
      prepare: async () => ({}),
    })),
];

function portalCredentials(sessions: Sessions): Credential[] {
  return [serviceToken, bearer('dev-catalog-token'), ...usersOf(sessions)];
}

/** @throws Error if the request is not accepted. */
async function send(
  url: string,
  credential?: Credential,
  body?: object,
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: [
      ...((credential?.headers ?? []) as [string, string][]),
      ...(body
        ? [['Content-Type', 'application/json'] as [string, string]]
        : []),
    ],
    body: JSON.stringify(body),
  });
  if (!response.ok) {
    throw new Error(`${url} was answered ${response.status}`);
  }
  return response.json();
}

function verbatim(header: string, value: string): Credential {
  return { name: value, headers: [[header, value]] };
}

function bearer(token: string): Credential {
  return { name: token, headers: [['Authorization', `Bearer ${token}`]] };
}

function basic(user: string, token: string): Credential {
  const encoded = Buffer.from(`${user}:${token}`).toString('base64');
  return { name: user, headers: [['Authorization', `Basic ${encoded}`]] };
}

function usersOf({ ada, grace, cookie }: Sessions): Credential[] {
  return [
    { ...bearer(ada), name: 'session of ada' },
    { ...bearer(grace), name: 'session of grace' },
    { name: 'cookie of ada', headers: [['Cookie', cookie]] },
  ];
}
