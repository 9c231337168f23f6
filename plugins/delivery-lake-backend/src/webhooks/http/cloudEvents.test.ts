import request from 'supertest';
import { cdEvent, cloudEvent } from '../__testUtils__/cdEvents';
import {
  Lake,
  NOBODY,
  PERSON,
  SERVICE,
  startLake,
} from '../__testUtils__/startLake';

const EVENTS = '/api/delivery-lake/events';
const STRUCTURED = 'application/cloudevents+json';
const BATCH = 'application/cloudevents-batch+json';

function deployed(id: string) {
  return cdEvent({
    type: 'dev.cdevents.service.deployed.0.3.0',
    id,
    content: { environment: { id: 'production' }, artifactId: 'pkg:oci/cart' },
  });
}

let lake: Lake;
beforeEach(async () => {
  lake = await startLake();
});
afterEach(() => lake.stop());

function post(type: string) {
  return request(lake.server)
    .post(EVENTS)
    .set('Authorization', SERVICE)
    .set('Content-Type', type);
}

function binary(headers: Record<string, string> = {}) {
  return post('application/json; charset=utf-8').set({
    'ce-specversion': '1.0',
    'ce-id': 'e-1',
    'ce-source': '/ci/shop',
    'ce-type': 'dev.cdevents.service.deployed.0.3.0',
    'ce-time': '2026-03-06T09:00:00.500Z',
    ...headers,
  });
}

const taken = {
  delivery: expect.objectContaining({
    channel: 'cloudevents',
    type: 'dev.cdevents.service.deployed.0.3.0',
    key: '/ci/shop#e-1',
  }),
  ignored: undefined,
  items: [
    {
      event: expect.objectContaining({
        kind: 'deployment',
        externalId: 'e-1',
        service: 'cart',
        environment: 'production',
      }),
    },
  ],
};

it('accepts the binary mode', async () => {
  const answer = await binary().send(JSON.stringify(deployed('e-1')));
  expect([answer.status, answer.body]).toMatchObject([200, { accepted: 1 }]);
  expect(lake.ingest.deliveries).toEqual([taken]);
});

it('accepts the structured mode, with any parameters of the media type', async () => {
  const event = JSON.stringify(cloudEvent(deployed('e-1')));
  await post(`${STRUCTURED}; charset=utf-8`).send(event).expect(200);
  expect(lake.ingest.deliveries).toEqual([taken]);
  const again = await post(STRUCTURED).send(event).expect(200);
  expect(again.body).toMatchObject({ duplicate: true });
});

it('accepts data in base64', async () => {
  const { data, ...attributes } = cloudEvent(deployed('e-1'));
  await post(STRUCTURED)
    .send(
      JSON.stringify({
        ...attributes,
        data_base64: Buffer.from(JSON.stringify(data)).toString('base64'),
      }),
    )
    .expect(200);
  expect(lake.ingest.deliveries).toEqual([taken]);
});

it('accepts a batch, and reports each event', async () => {
  await post(STRUCTURED).send(JSON.stringify(cloudEvent(deployed('e-1'))));
  const broken = cloudEvent({
    ...deployed('e-3'),
    subject: { id: 'cart', source: '/ci', content: {} },
  });
  const answer = await post(BATCH).send(
    JSON.stringify([
      cloudEvent(deployed('e-1')),
      cloudEvent(deployed('e-2')),
      broken,
      { ...cloudEvent(deployed('e-4')), type: 'com.example.order' },
    ]),
  );
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      accepted: 1,
      duplicates: 1,
      stale: 0,
      rejected: 1,
      results: [
        { index: 0, outcome: 'duplicate' },
        { index: 1, outcome: 'accepted', id: 'deploy-0' },
        {
          index: 2,
          outcome: 'rejected',
          error: 'subject.content.environment.id is required',
          field: 'subject.content.environment.id',
        },
      ],
    },
  ]);
});

it.each([
  ['an attribute', 'source', { source: undefined }],
  ['an id, which the package would make up', 'id', { id: undefined }],
  ['a version', 'specversion', { specversion: '0.3' }],
])('refuses an event without %s', async (_what, field, change) => {
  const event = { ...cloudEvent(deployed('e-1')), ...change };
  const single = await post(STRUCTURED).send(JSON.stringify(event));
  expect([single.status, single.body.error]).toEqual([
    400,
    expect.stringContaining(`${field}:`),
  ]);
  const batch = await post(BATCH).send(
    JSON.stringify([cloudEvent(deployed('e-0')), event]),
  );
  expect([batch.status, batch.body.error]).toEqual([
    400,
    expect.stringContaining(`[1].${field}:`),
  ]);
  expect(lake.ingest.deliveries).toEqual([]);
});

it('stores keys and types that databases reject', async () => {
  const long = {
    ...cloudEvent(deployed('e'.repeat(300))),
    type: `com.example.${'x'.repeat(200)}`,
  };
  await post(STRUCTURED).send(JSON.stringify(long)).expect(200);
  const [{ delivery }] = lake.ingest.deliveries;
  expect(delivery.key).toMatch(/^[0-9a-f]{64}$/);
  expect(delivery.type).toHaveLength(128);
  await post(STRUCTURED)
    .send(JSON.stringify({ ...long, source: '/ci\u0000' }))
    .expect(400);
});

it('rejects invalid CloudEvents', async () => {
  const plain = await post('application/json').send('{}');
  expect([plain.status, plain.body.error]).toEqual([
    400,
    expect.stringContaining('Not a CloudEvent'),
  ]);
  await post(STRUCTURED).send('{').expect(400);
  await post(STRUCTURED).send('[]').expect(400);
  await post(STRUCTURED).send('null').expect(400);
  await post(BATCH).send('{}').expect(400);
  await binary().send('{').expect(400);
  await binary({ 'content-type': 'text/plain' }).send('x').expect(400);
  await binary({ 'ce-specversion': '0.3' }).send('{}').expect(400);
  const many = Array.from({ length: 1001 }, (_, index) =>
    cloudEvent(deployed(`e-${index}`)),
  );
  await post(BATCH).send(JSON.stringify(many)).expect(400);
});

it('needs a service token that may ingest, and POST', async () => {
  const event = JSON.stringify(cloudEvent(deployed('e-1')));
  const call = () =>
    request(lake.server).post(EVENTS).set('Content-Type', STRUCTURED);
  await call().set('Authorization', NOBODY).send(event).expect(401);
  await call().set('Authorization', PERSON).send(event).expect(403);
  const answer = await request(lake.server)
    .get(EVENTS)
    .set('Authorization', SERVICE);
  expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
});
