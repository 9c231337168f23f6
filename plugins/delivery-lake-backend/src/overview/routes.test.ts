import { mockServices } from '@backstage/backend-test-utils';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import {
  deploymentRow,
  incidentRow,
  insertRows,
} from '../history/__testUtils__/rows';
import { startReadRoutes } from '../metrics/__testUtils__/startReadRoutes';
import { lakeDatabases } from '../storage/__testUtils__/lakeDatabases';

const databases = lakeDatabases();

const TABLES = {
  services: [
    {
      ...{ id: 1, name: 'till', entity_ref: 'component:default/till' },
      ...{ team: 'group:default/payments', project: 'system:default/shop' },
    },
    { id: 2, name: 'old' },
    { id: 3, name: 'shop/mono' },
    { id: 4, name: 'broken' },
    { id: 5, name: 'just-registered' },
  ],
  deployments: [
    deploymentRow(1, { commit_sha: 'a' }),
    deploymentRow(2, { service_id: 2, source: 'jenkins', commit_sha: 'b' }),
    deploymentRow(3, { service_id: 2, finished_at: null, counted: 0 }),
    deploymentRow(4, { service_id: 3, commit_sha: 'c', head_position: 5 }),
    deploymentRow(5, { service_id: 3, commit_sha: 'd', lists_changes: 1 }),
    deploymentRow(6, { service_id: 5 }),
  ],
  incidents: [
    incidentRow(1, { service_id: 2, started_at: 90_000 }),
    incidentRow(2, { service_id: 4 }),
    incidentRow(3, { service_id: null }),
    incidentRow(4, { service_id: null, title: 'Whose?' }),
  ],
  changes: [
    {
      ...{ repository_id: 1, sha: 'a', message: 'A', author: 'Ada' },
      ...{ position: 1, revision: 1 },
    },
  ],
  lake_sources: [
    { source: 'jenkins', last_event_at: 1_000, events: 2 },
    { source: 'pager', last_event_at: 5_000, events: 40 },
  ],
  lake_deliveries: [
    ['accepted', null, 1],
    ['ignored', 'A push to a branch that is not deployed', 3],
    ['rejected', 'deployment.sha is required', 2],
  ].map(([outcome, reason, received_at]) => ({
    ...{ channel: 'github', type: 'push', delivery_key: `${received_at}` },
    ...{ body: '{}', context: '{}', outcome, reason, received_at },
  })),
};

describe.each(databases.eachSupportedId())('on %s', databaseId => {
  async function start(
    options: Partial<Parameters<typeof startReadRoutes>[0]> = {},
  ) {
    return startReadRoutes({
      now: 1_000_000,
      knex: await databases.init(databaseId),
      fill: db => insertRows(db, TABLES),
      directory: {
        'shop/mono': {
          match: 'ambiguous',
          candidates: ['component:default/a', 'component:default/b'],
        },
        'just-registered': {
          match: 'known',
          ownership: {
            ...{
              entityRef: 'component:default/new',
              team: null,
              project: null,
            },
          },
        },
      },
      ...options,
    });
  }

  it('reports the contents of the lake', async () => {
    const { get } = await start();
    const { status, body } = await get('/status');
    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ deployments: 6, changes: 1, incidents: 4, unmatchedServices: 4 },
      sources: [
        {
          source: 'pager',
          lastEventAt: '1970-01-01T00:00:05.000Z',
          events: 40,
        },
        {
          source: 'jenkins',
          lastEventAt: '1970-01-01T00:00:01.000Z',
          events: 2,
        },
      ],
      timeZone: 'UTC',
      ingestUrl: expect.stringMatching(
        /^http:\/\/localhost:\d+\/api\/delivery-lake$/,
      ),
    });
  });

  it('lists the available scopes', async () => {
    const { get } = await start();
    const { body } = await get('/scopes');
    expect(body).toEqual({
      teams: [
        {
          name: 'payments',
          title: 'Title of group:default/payments',
          entityRef: 'group:default/payments',
        },
      ],
      projects: [
        {
          name: 'shop',
          title: 'Title of system:default/shop',
          entityRef: 'system:default/shop',
        },
      ],
      services: expect.arrayContaining([
        {
          ...{ name: 'till', entityRef: 'component:default/till' },
          ...{ team: 'payments', project: 'shop' },
        },
        { name: 'old', entityRef: null, team: null, project: null },
      ]),
    });
    expect(body.services).toHaveLength(5);
  });

  it('reports what it cannot match, and why', async () => {
    const { get } = await start();
    const { body } = await get('/unmatched');
    expect(body).toEqual({
      services: [
        {
          ...{ name: 'shop/mono', deployments: 2, incidents: 0 },
          ...{ lastSeenAt: '1970-01-01T00:00:05.500Z', sources: ['ci'] },
          reason: 'ambiguous',
          candidates: ['component:default/a', 'component:default/b'],
        },
        {
          ...{ name: 'old', deployments: 2, incidents: 1 },
          lastSeenAt: '1970-01-01T00:01:30.000Z',
          sources: ['ci', 'jenkins', 'pager'],
          ...{ reason: 'unknown', candidates: [] },
        },
        {
          ...{ name: 'broken', deployments: 0, incidents: 1 },
          ...{ lastSeenAt: '1970-01-01T00:00:02.000Z', sources: ['pager'] },
          ...{ reason: 'unknown', candidates: [] },
        },
      ],
      incidents: [
        {
          ...{ id: 'incident-4', title: 'Whose?', source: 'pager' },
          startedAt: '1970-01-01T00:00:04.000Z',
        },
        expect.objectContaining({ id: 'incident-3' }),
      ],
      totalIncidents: 2,
      deploymentsWithoutChange: 2,
      deliveries: [
        {
          ...{ id: expect.any(String), channel: 'github', type: 'push' },
          receivedAt: '1970-01-01T00:00:00.003Z',
          outcome: 'ignored',
          reason: 'A push to a branch that is not deployed',
        },
        expect.objectContaining({ outcome: 'rejected' }),
      ],
    });
  });

  it('allows callers who may read', async () => {
    const { call } = await start({
      features: [
        mockServices.permissions.factory({ result: AuthorizeResult.DENY }),
      ],
    });
    for (const path of ['status', 'scopes', 'unmatched']) {
      expect((await call('get', `/${path}`)).status).toBe(403);
      const posted = await call('post', `/${path}`);
      expect(posted.status).toBe(405);
      expect(posted.headers.allow).toBe('GET');
    }
  });
});
