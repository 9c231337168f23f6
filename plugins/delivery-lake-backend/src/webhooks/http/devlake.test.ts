import request from 'supertest';
import {
  Lake,
  NOBODY,
  PERSON,
  SERVICE,
  startLake,
} from '../__testUtils__/startLake';

const BASE = '/api/delivery-lake/webhooks/devlake';
const DEPLOYMENTS = `${BASE}/plugins/webhook/connections/3/deployments`;
const TIMES = {
  startedDate: '2026-03-05T10:00:00+00:00',
  finishedDate: '2026-03-05T10:05:00+00:00',
};
const deployment = {
  id: '4711',
  ...TIMES,
  deploymentCommits: [
    {
      repoUrl: 'https://forge.example.org/shop/cart',
      commitSha: 'a'.repeat(40),
      ...TIMES,
    },
  ],
};

let lake: Lake;
beforeEach(async () => {
  lake = await startLake();
});
afterEach(() => lake.stop());

function post(path: string) {
  return request(lake.server).post(path).set('Authorization', SERVICE);
}

it.each([
  ['/plugins/webhook/connections/3/deployments'],
  ['/plugins/webhook/3/deployments'],
  ['/plugins/webhook/connections/by-name/shop/deployments'],
  ['/plugins/webhook/projects/shop/deployments'],
  ['/api/plugins/webhook/3/deployments'],
  ['/rest/plugins/webhook/3/deployments'],
  ['/api/rest/plugins/webhook/connections/3/deployments'],
  ['/connections/3/deployments'],
])('takes a deployment at %s', async path => {
  const answer = await post(`${BASE}${path}`).send(deployment);
  expect([answer.status, answer.body.accepted]).toEqual([200, 1]);
  expect(lake.ingest.deliveries[0].delivery).toMatchObject({
    channel: 'devlake',
    type: 'deployments',
    context: { path },
  });
});

it('accepts names with any characters', async () => {
  await post(
    `${BASE}/plugins/webhook/connections/by-name/50%25%2Fshop/deployments`,
  )
    .send(deployment)
    .expect(200);
  expect(lake.ingest.deliveries[0].items).toMatchObject([
    { event: { source: 'devlake:50%/shop' } },
  ]);
});

it('stores a repeated deployment once', async () => {
  await post(DEPLOYMENTS).send(deployment).expect(200);
  const again = await post(DEPLOYMENTS).send(deployment).expect(200);
  expect(again.body).toMatchObject({ duplicate: true });
});

it('accepts incidents, and closes them repeatedly', async () => {
  const issues = `${BASE}/plugins/webhook/connections/3/issues`;
  await post(issues)
    .send({
      issueKey: 'OPS-12',
      title: 'Checkout is down',
      type: 'INCIDENT',
      status: 'TODO',
      originalStatus: 'Open',
      createdDate: '2026-03-05T11:00:00+00:00',
    })
    .expect(200);
  const close = `${BASE}/plugins/webhook/connections/3/issue/OPS-12/close`;
  const before = Date.now();
  await post(close).expect(200);
  await post(close)
    .set('Content-Type', 'application/json')
    .send('{}')
    .expect(200);
  const [, closed] = lake.ingest.deliveries;
  const [item] = closed.items;
  expect(item).toMatchObject({
    event: { externalId: 'OPS-12', resolvedAt: expect.any(Number) },
  });
  expect(Number(closed.delivery.context?.receivedAt)).toBeGreaterThanOrEqual(
    before,
  );
});

it('responds 400 to an invalid field, and stores nothing', async () => {
  const answer = await post(DEPLOYMENTS).send({
    ...deployment,
    finishedDate: undefined,
  });
  expect([answer.status, answer.body]).toEqual([
    400,
    { error: 'finishedDate is required' },
  ]);
  await post(DEPLOYMENTS)
    .set('Content-Type', 'application/json')
    .send('{')
    .expect(400);
  await post(DEPLOYMENTS)
    .set('Content-Type', 'text/plain')
    .send('x')
    .expect(400);
  await post(DEPLOYMENTS).expect(400);
  expect(lake.ingest.deliveries).toEqual([]);
});

it('needs a service token, as DevLake needs its API key', async () => {
  await request(lake.server)
    .post(DEPLOYMENTS)
    .set('Authorization', NOBODY)
    .send(deployment)
    .expect(401);
  await request(lake.server)
    .post(DEPLOYMENTS)
    .set('Authorization', PERSON)
    .send(deployment)
    .expect(403);
  expect(lake.ingest.deliveries).toEqual([]);
});

it('rejects other paths and methods', async () => {
  const unknown = await post(`${BASE}/plugins/jira/3/issues`).send({});
  expect([unknown.status, unknown.body]).toEqual([
    404,
    { error: 'DevLake has no webhook /plugins/jira/3/issues' },
  ]);
  const put = await request(lake.server)
    .put(DEPLOYMENTS)
    .set('Authorization', SERVICE);
  expect([put.status, put.headers.allow]).toEqual([405, 'POST']);
});
