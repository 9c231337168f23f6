import {
  coreServices,
  createBackendPlugin,
} from '@backstage/backend-plugin-api';
import {
  mockCredentials,
  mockServices,
  startTestBackend,
} from '@backstage/backend-test-utils';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import { contractHttpRouterFactory } from '@slipway/portal-kit';
import { Router } from 'express';
import request from 'supertest';
import { INGEST_CONFIG } from '../storage/__testUtils__/createLake';
import { FakeServiceDirectory } from '../storage/__testUtils__/FakeServiceDirectory';
import { DatabaseIngestStore } from '../storage/DatabaseIngestStore';
import { openLakeDatabase } from '../storage/openLakeDatabase';
import { IngestService } from './IngestService';
import { createIngestRoutes } from './routes';

const CI = mockCredentials.service.header({
  onBehalfOf: mockCredentials.service('external:ci'),
  targetPluginId: 'delivery-lake',
});
const ADA = mockCredentials.user.header('user:default/ada');
const DEPLOYMENT = {
  id: 'build-1',
  service: 'shop',
  startedAt: '2026-01-05T10:00:00Z',
  finishedAt: '2026-01-05T10:05:00Z',
};

const ingestOnly = createBackendPlugin({
  pluginId: 'delivery-lake',
  register(env) {
    env.registerInit({
      deps: {
        database: coreServices.database,
        httpAuth: coreServices.httpAuth,
        httpRouter: coreServices.httpRouter,
        permissions: coreServices.permissions,
      },
      async init({ database, httpRouter, ...auth }) {
        const store = new DatabaseIngestStore({
          knex: await openLakeDatabase(database),
          directory: new FakeServiceDirectory(),
        });
        const config = INGEST_CONFIG;
        const service = new IngestService({ store, config });
        httpRouter.use(createIngestRoutes({ ...auth, service }));
        const reads = Router();
        reads.get('/deployments', (_req, res) => {
          res.json({ deployments: [] });
        });
        httpRouter.use(reads);
      },
    });
  },
});

async function start() {
  const { server } = await startTestBackend({
    features: [ingestOnly, contractHttpRouterFactory],
  });
  const post = (path: string, body: object, authorization: string = CI) =>
    request(server)
      .post(`/api/delivery-lake${path}`)
      .set('Authorization', authorization)
      .send(body);
  return { server, post };
}

it('accepts one deployment, change or incident', async () => {
  const { post } = await start();
  const deployment = await post('/deployments', DEPLOYMENT);
  expect(deployment.status).toBe(200);
  expect(deployment.body).toEqual({
    accepted: 1,
    duplicates: 0,
    stale: 0,
    rejected: 0,
    results: [
      {
        index: 0,
        outcome: 'accepted',
        id: expect.stringMatching(/^deploy-[0-9a-f-]{36}$/),
      },
    ],
  });
  const again = await post('/deployments', DEPLOYMENT);
  expect(again.body.results).toEqual([
    { ...deployment.body.results[0], outcome: 'duplicate' },
  ]);

  const change = await post('/changes', {
    repository: 'acme/shop',
    sha: 'abcdef0',
  });
  expect(change.body.results).toEqual([{ index: 0, outcome: 'accepted' }]);
  const incident = await post('/incidents', {
    id: 'P1',
    startedAt: '2026-01-05T11:00:00Z',
    deployment: deployment.body.results[0].id,
  });
  expect(incident.body.results[0].id).toMatch(/^incident-/);
});

it('reports each item of a batch, naming item and field', async () => {
  const { post } = await start();
  const { status, body } = await post('/deployments', [
    DEPLOYMENT,
    { service: 'shop' },
    { ...DEPLOYMENT, id: '2', finishedAt: '2026-01-05T09:00:00Z' },
    'text',
    { ...DEPLOYMENT, id: '3' },
  ]);
  expect(status).toBe(200);
  expect(body).toMatchObject({ accepted: 2, rejected: 3 });
  expect(body.results).toEqual([
    expect.objectContaining({ index: 0, outcome: 'accepted' }),
    {
      index: 1,
      outcome: 'rejected',
      field: 'id',
      error: '[1].id is required',
    },
    {
      index: 2,
      outcome: 'rejected',
      field: 'finishedAt',
      error: '[2].finishedAt is before startedAt',
    },
    {
      index: 3,
      outcome: 'rejected',
      error: expect.stringMatching(/^\[3\]: /),
    },
    expect.objectContaining({ index: 4, outcome: 'accepted' }),
  ]);
});

it.each([
  ['/deployments', { ...DEPLOYMENT, id: undefined }, 'id is required'],
  [
    '/deployments',
    { ...DEPLOYMENT, finishedAt: '2996-01-05T09:00:00Z' },
    'finishedAt is in the future',
  ],
  ['/changes', { sha: 'abcdef0' }, 'repository is required'],
  ['/incidents', [], 'The batch is empty; send 1 to 1000 items'],
])('answers 400 to %s %j', async (path, body, error) => {
  const { post } = await start();
  const answer = await post(path, body);
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({ error });
});

it('responds 400 to invalid JSON, and 413 to large bodies', async () => {
  const { post, server } = await start();
  const text = await request(server)
    .post('/api/delivery-lake/deployments')
    .set('Authorization', CI)
    .type('text/plain')
    .send('id=1');
  expect(text.status).toBe(400);
  expect(text.body.error).toContain('application/json');
  const large = await post('/deployments', [{ id: 'x'.repeat(1024 * 1024) }]);
  expect(large.status).toBe(413);
});

it('rejects users and unauthenticated callers, whatever they send', async () => {
  const { post } = await start();
  const user = await post('/deployments', {}, ADA);
  expect(user.status).toBe(403);
  expect(user.body).toEqual({ error: 'Sending events needs a service token' });
  const nobody = await post('/deployments', {}, mockCredentials.none.header());
  expect(nobody.status).toBe(401);
});

it('responds 403 without the permission', async () => {
  const { server } = await startTestBackend({
    features: [
      ingestOnly,
      contractHttpRouterFactory,
      mockServices.permissions.factory({ result: AuthorizeResult.DENY }),
    ],
  });
  const answer = await request(server)
    .post('/api/delivery-lake/incidents')
    .set('Authorization', CI)
    .send({});
  expect(answer.status).toBe(403);
  expect(answer.body).toEqual({
    error: 'Permission delivery-lake.event.ingest is required',
  });
});

it('responds 405 to unsupported methods, and passes GET on to the read routes', async () => {
  const { server } = await start();
  const call = (method: 'get' | 'put', path: string) =>
    request(server)
      [method](`/api/delivery-lake${path}`)
      .set('Authorization', CI);
  const put = await call('put', '/deployments');
  expect(put.status).toBe(405);
  expect(put.headers.allow).toBe('GET, HEAD, POST');
  expect((await call('get', '/changes')).headers.allow).toBe('POST');
  expect((await call('get', '/deployments')).body).toEqual({ deployments: [] });
});
