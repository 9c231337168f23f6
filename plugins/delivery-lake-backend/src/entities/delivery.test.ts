import {
  BackendFeature,
  coreServices,
  createServiceFactory,
} from '@backstage/backend-plugin-api';
import {
  mockCredentials,
  mockServices,
  startTestBackend,
} from '@backstage/backend-test-utils';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import { contractHttpRouterFactory } from '@slipway/portal-kit';
import request from 'supertest';
import { deliveryLakePlugin } from '../plugin';
import { deliveryPart } from './deliveryPart';

const CI = mockCredentials.service.header({
  onBehalfOf: mockCredentials.service('external:ci'),
  targetPluginId: 'delivery-lake',
});
const HOUR = 3_600_000;
const now = Date.now();
const ago = (hours: number) => new Date(now - hours * HOUR).toISOString();

const apiVersion = 'backstage.io/v1alpha1';
const component = (name: string, owner: string, title?: string) => ({
  apiVersion,
  kind: 'Component',
  metadata: { name, namespace: 'default', title },
  spec: { type: 'service', owner, system: 'shop' },
  relations: [
    { type: 'ownedBy', targetRef: owner },
    { type: 'partOf', targetRef: 'system:default/shop' },
  ],
});
const entities = [
  ...Array.from({ length: 101 }, (_, index) => ({
    ...component(`part-${index}`, 'group:default/builders'),
    relations: [{ type: 'ownedBy', targetRef: 'group:default/builders' }],
  })),
  {
    apiVersion,
    kind: 'Group',
    metadata: { name: 'builders', namespace: 'default' },
    spec: {},
  },
  component('till', 'group:default/payments'),
  {
    ...component('bench', 'user:default/lin'),
    relations: [{ type: 'ownedBy', targetRef: 'user:default/lin' }],
    spec: { type: 'service', owner: 'user:default/lin' },
  },
  component('map', 'group:default/search', 'Site map'),
  {
    apiVersion,
    kind: 'Group',
    metadata: { name: 'payments', namespace: 'default' },
    spec: {},
  },
  {
    apiVersion,
    kind: 'System',
    metadata: { name: 'shop', namespace: 'default' },
    spec: {},
  },
];

async function start(features: BackendFeature[] = []) {
  const backend = await startTestBackend({
    features: [
      deliveryLakePlugin,
      contractHttpRouterFactory,
      catalogServiceMock.factory({ entities }),
      mockServices.rootConfig.factory({
        data: { app: { baseUrl: 'https://portal.example.org/' } },
      }),
      createServiceFactory({
        service: coreServices.userInfo,
        deps: {},
        factory: () => ({
          async getUserInfo({ principal }) {
            const { userEntityRef } = principal as { userEntityRef: string };
            return {
              userEntityRef,
              ownershipEntityRefs: [
                userEntityRef,
                ...'abcdef'.split('').map(name => `group:default/${name}`),
                'group:default/payments',
              ],
            };
          },
        }),
      }),
      ...features,
    ],
  });
  const { server } = backend;
  return {
    stop: () => backend.stop(),
    get: (ref: string, rest: string, user = 'grace') =>
      request(server)
        .get(`/api/delivery-lake/entities/${encodeURIComponent(ref)}/${rest}`)
        .set(
          'Authorization',
          mockCredentials.user.header(`user:default/${user}`),
        ),
    post: (path: string, body: object) =>
      request(server)
        .post(`/api/delivery-lake/${path}`)
        .set('Authorization', CI)
        .send(body)
        .expect(200),
  };
}

const deployment = (
  service: string,
  id: string,
  {
    at,
    status = 'SUCCESS',
    url,
  }: { at: number; status?: string; url?: string },
) => ({
  url,
  id: `${service}-${id}`,
  service,
  status,
  version: id,
  environment: 'production',
  startedAt: ago(at + 0.1),
  finishedAt: ago(at),
  triggeredBy: 'user:default/ada',
  repository: `shop/${service}`,
  commit: {
    sha: id.replaceAll('.', '').padEnd(40, 'a'),
    message: 'Fix it',
    author: 'Ada',
    committedAt: ago(at + 3),
  },
});

describe('deliveries of entities', () => {
  let lake: Awaited<ReturnType<typeof start>>;

  beforeAll(async () => {
    lake = await start();
    await lake.post('deployments', [
      deployment('till', '1.0.0', { at: 900 }),
      deployment('till', '1.1.0', { at: 50 }),
      deployment('till', '1.2.0', {
        at: 20,
        status: 'FAILURE',
        url: 'https://portal.example.org/builds/till%2Fdeploy/12',
      }),
      deployment('map', '3.0.0', { at: 10 }),
      deployment('bench', '0.1.0', { at: 5, status: 'FAILURE' }),
    ]);
    await lake.post('incidents', {
      id: 'INC-1',
      title: 'Payments are slow',
      service: 'till',
      startedAt: ago(49),
      deployment: { id: 'till-1.1.0' },
    });
    await vi.waitFor(
      async () => {
        const { body } = await lake.get('group:default/payments', 'summary');
        if (body.needs?.length !== 2) {
          throw new Error('The lake has not read the catalog yet');
        }
      },
      { timeout: 20_000, interval: 200 },
    );
  });

  afterAll(() => lake.stop());

  it('reports where versions of a component run, what is broken, and its metrics', async () => {
    const { status, body } = await lake.get(
      'component:default/till',
      'summary',
    );
    expect(status).toBe(200);
    expect(body.state).toBe('bad');
    expect(body.facts[0]).toEqual({
      id: 'runs:prod',
      label: 'prod',
      kind: 'text',
      value: '1.1.0',
      at: ago(50),
      by: 'user:default/ada',
      page: expect.stringMatching(
        /^\/delivery\/deployments\/deploy-[^?]+\?scope=service%3Acomponent%3Adefault%2Ftill$/,
      ),
    });
    expect(body.facts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 'incidents', value: 1, tone: 'bad' }),
        expect.objectContaining({
          id: 'deploymentFrequency',
          kind: 'count',
          value: expect.closeTo(1, 1),
          unit: 'per month',
          previous: expect.any(Number),
          tone: expect.any(String),
        }),
        expect.objectContaining({ id: 'timeToRestoreService', value: null }),
      ]),
    );
    expect(body.needs).toEqual([
      expect.objectContaining({
        kind: 'deployment-failed',
        title: 'till 1.2.0 failed to deploy',
        action: 'View deployment',
        entityRef: 'component:default/till',
      }),
      expect.objectContaining({
        kind: 'incident-open',
        title: 'Payments are slow',
        tone: 'bad',
        page: expect.stringMatching(
          /^\/delivery\/incidents\/incident-[^?]+\?scope=service%3Acomponent%3Adefault%2Ftill$/,
        ),
        action: 'View incident',
        entityRef: 'component:default/till',
      }),
    ]);
  });

  it('reports open needs to a team, a system and a member of the team', async () => {
    for (const ref of [
      'group:default/payments',
      'system:default/shop',
      'user:default/grace',
    ]) {
      const { body } = await lake.get(ref, 'summary');
      expect(body.needs.map(({ kind }: { kind: string }) => kind)).toEqual([
        'deployment-failed',
        'incident-open',
      ]);
    }
    expect(
      (await lake.get('user:default/grace', 'summary', 'ada')).status,
    ).toBe(403);
  });

  it('reports to a user what concerns any of their groups, or only them', async () => {
    const { body } = await lake.get('user:default/lin', 'summary', 'lin');
    expect(
      body.needs.map(({ title, page }: Record<string, string>) => [
        title,
        new URL(page, 'http://portal').searchParams.get('scope'),
      ]),
    ).toEqual([
      ['bench 0.1.0 failed to deploy', 'service:component:default/bench'],
      ['till 1.2.0 failed to deploy', 'service:component:default/till'],
      ['Payments are slow', 'service:component:default/till'],
    ]);
  });

  it('lists deployments and incidents together, in order', async () => {
    const { body } = await lake.get('component:default/till', 'timeline');
    expect(
      body.items.map(({ kind, title, state }: Record<string, string>) => [
        kind,
        title,
        state,
      ]),
    ).toEqual([
      ['deployment', 'till 1.2.0 to prod', 'Failed'],
      ['incident', 'Payments are slow', 'Open'],
      ['deployment', 'till 1.1.0 to prod', 'Caused a failure'],
    ]);
    expect(body.items[1].entityRef).toBe('component:default/till');
    expect(body.items[1].neighbours).toEqual([
      {
        kind: 'deployment',
        title: 'till 1.1.0',
        page: expect.stringContaining('/delivery/deployments/deploy-'),
      },
    ]);
    expect(body.items[0]).toMatchObject({
      series: 'till prod',
      entityRef: 'component:default/till',
      neighbours: [
        {
          kind: 'build',
          title: 'till/deploy #12',
          page: '/builds/till%2Fdeploy/12',
        },
      ],
    });
    expect(body.items[2].commit).toBe('110'.padEnd(40, 'a'));
    const { body: system } = await lake.get(
      'system:default/shop',
      'timeline?kind=deployment&limit=2',
    );
    expect(system).toMatchObject({
      items: [
        { title: 'Site map 3.0.0 to prod', series: 'map prod' },
        { title: 'till 1.2.0 to prod' },
      ],
      truncated: true,
    });
  });

  it('lists what happened before a moment in the past', async () => {
    const timeline = async (from: number) => {
      const span = `from=${ago(from)}&to=${ago(30)}`;
      const { body } = await lake.get(
        'system:default/shop',
        `timeline?kind=deployment&limit=1&${span}`,
      );
      return [
        body.items.map(({ title }: { title: string }) => title),
        body.truncated,
      ];
    };
    expect(await timeline(100)).toEqual([['till 1.1.0 to prod'], false]);
    expect(await timeline(1_000)).toEqual([['till 1.1.0 to prod'], true]);
  });

  it('tells if there are more components than it reports on', async () => {
    const builders = await lake.get('group:default/builders', 'summary');
    expect(builders.body.truncated).toBe(true);
    const payments = await lake.get('group:default/payments', 'summary');
    expect(payments.body).not.toHaveProperty('truncated');
  });

  it('rejects invalid queries', async () => {
    const ref = 'component:default/till';
    expect(
      (await lake.get(ref, 'timeline?from=2026-02-30')).body.error,
    ).toMatch(/from must be/);
    expect((await lake.get('till', 'summary')).status).toBe(400);
    expect((await lake.get(ref, 'timeline?limit=x')).body.error).toMatch(
      /limit must be/,
    );
    expect((await lake.get('component:default/no', 'summary')).status).toBe(
      404,
    );
  });

  it('allows callers who may read deliveries', async () => {
    const closed = await start([
      mockServices.permissions.factory({ result: AuthorizeResult.DENY }),
    ]);
    const { status } = await closed.get('component:default/till', 'summary');
    expect(status).toBe(403);
    await closed.stop();
  });
});

it.each([
  ['Pacific/Auckland', '2026-02-02'],
  ['America/Los_Angeles', '2026-02-01'],
])('covers the last 30 days of %s', async (timeZone, startDate) => {
  const queries: object[] = [];
  const part = deliveryPart({
    history: {
      deployments: async () => ({
        deployments: [],
        total: 0,
        nextCursor: null,
      }),
      incidents: async () => ({ incidents: [], total: 0, nextCursor: null }),
      running: async () => ({ deployments: [], truncated: false }),
    },
    dora: {
      metrics: async query => {
        queries.push(query);
        throw new Error('There are no metrics');
      },
    },
    directory: { titleOf: ref => ref },
    timeZone,
    portal: '',
    // 03:00 on 3 March in Auckland, 06:00 on 2 March in Los Angeles.
    now: () => Date.parse('2026-03-02T14:00:00Z'),
  });
  const scope = {
    kind: 'group' as const,
    ref: 'group:default/payments',
    components: [],
    truncated: false,
    teams: [],
  };
  await expect(part.summary(scope, { ref: '' })).rejects.toThrow('no metrics');
  expect(queries).toEqual([expect.objectContaining({ startDate })]);
  expect(queries[0]).not.toHaveProperty('endDate');
});
