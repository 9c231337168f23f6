import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchLogRecordProcessor,
  LoggerProvider,
} from '@opentelemetry/sdk-logs';
import type { Service } from '@slipway/service-kit';
import { clientOf, startAnalytics } from '../__testUtils__/startAnalytics.ts';

/** One project per test; there must be at least as many projects as tests. */
const PROJECTS = Array.from({ length: 20 }, (_, index) => ({
  id: `project-${index}`,
  key: `phc_test_key_${index}`,
  token: `phx_test_token_${index}`,
}));

let service: Service;
let host: string;
let project: (typeof PROJECTS)[number];

beforeAll(async () => {
  service = await startAnalytics({
    config: {
      projects: PROJECTS.map(({ id, key, token }) => ({
        id,
        name: id,
        keys: [{ name: 'test', key }],
        apiTokens: [{ name: 'test', key: token }],
      })),
    },
  });
  host = await service.start();
});

afterAll(() => service.stop());

let used = 0;
beforeEach(() => {
  project = PROJECTS[used];
  used += 1;
});

/** Returns columns of all events, sorted by the events' names. */
async function stored(...select: string[]): Promise<unknown[][]> {
  const { body } = await clientOf(service, project).query({
    select,
    after: 'all',
    orderBy: ['event'],
  });
  return body.results;
}

const post = (
  payload: unknown,
  headers: Record<string, string> = { 'x-api-key': project.key },
) =>
  service.app.inject({
    method: 'POST',
    url: '/v1/logs',
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(payload),
  });

const text = (key: string, stringValue: string) => ({
  key,
  value: { stringValue },
});

const exportOf = (...logRecords: unknown[]) => ({
  resourceLogs: [
    {
      resource: { attributes: [text('service.name', 'shop')] },
      scopeLogs: [{ scope: { name: 'test' }, logRecords }],
    },
  ],
});

it('stores the events of an unmodified SDK', async () => {
  const exporter = new OTLPLogExporter({
    url: `${host}/v1/logs`,
    headers: { authorization: `Bearer ${project.key}` },
  });
  const provider = new LoggerProvider({
    resource: resourceFromAttributes({ 'service.name': 'shop' }),
    processors: [new BatchLogRecordProcessor({ exporter })],
  });
  const logger = provider.getLogger('shop');
  const at = Date.parse('2026-01-02T03:04:05.678Z');
  logger.emit({
    timestamp: at,
    eventName: 'browser.navigation',
    attributes: {
      'url.full': 'https://shop.example.com/cart?full=1#top',
      'browser.navigation.hash_change': false,
      'session.id': 's-1',
      'user.id': 'ada',
    },
  });
  logger.emit({
    timestamp: at,
    eventName: 'bought',
    attributes: { 'session.id': 's-2', price: 1.5, items: ['a', 'b'] },
    body: { order: { number: 7 } },
  });
  await provider.shutdown();

  expect(
    await stored(
      'event',
      'distinct_id',
      'timestamp',
      'properties.$session_id',
      'properties.$current_url',
      'properties.$pathname',
      "properties['service.name']",
    ),
  ).toEqual([
    [
      '$pageview',
      'ada',
      '2026-01-02T03:04:05.678Z',
      's-1',
      'https://shop.example.com/cart?full=1#top',
      '/cart',
      'shop',
    ],
    ['bought', 's-2', '2026-01-02T03:04:05.678Z', 's-2', null, null, 'shop'],
  ]);
  const [, [bought]] = await stored('properties', 'event');
  expect(bought).toMatchObject({
    price: 1.5,
    items: ['a', 'b'],
    body: { order: { number: 7 } },
  });
});

it('stores a repeated export once, but each of its equal records', async () => {
  const record = {
    timeUnixNano: '1767323045678000000',
    eventName: 'clicked',
    attributes: [text('user.id', 'ada')],
  };
  for (let time = 0; time < 2; time += 1) {
    const answer = await post(exportOf(record, record));
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ partialSuccess: {} });
  }
  expect(await stored('event')).toHaveLength(2);
});

it('stores equal records of different resources and scopes', async () => {
  const record = { timeUnixNano: '1767323045678000000', eventName: 'clicked' };
  const of = (person: string, scope: string) => ({
    resourceLogs: [
      {
        resource: { attributes: [text('user.id', person)] },
        scopeLogs: [{ scope: { name: scope }, logRecords: [record] }],
      },
    ],
  });
  await post(of('ada', 'cart'));
  await post(of('grace', 'cart'));
  await post(of('ada', 'search'));
  await post(of('ada', 'search'));
  const people = await stored('distinct_id', 'event');
  expect(people.map(([person]) => person).sort()).toEqual([
    'ada',
    'ada',
    'grace',
  ]);
});

it('drops records that are not events, says so, and stores the others', async () => {
  const person = text('session.id', 's-1');
  const answer = await post(
    exportOf(
      { body: { stringValue: 'a line of a log' }, attributes: [person] },
      { eventName: 'nobody' },
      { attributes: [person, text('event.name', 'older SDK')] },
      'not a record',
    ),
  );
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    {
      partialSuccess: {
        rejectedLogRecords: 2,
        errorMessage:
          'Records that are not events: no_event_name, no_distinct_id',
      },
    },
  ]);
  expect(await stored('event')).toEqual([['older SDK']]);
});

it('keeps integers of 64 bits, and ids of records', async () => {
  const uid = '018f4b3c-8a5e-7cc1-a4f5-0123456789ab';
  await post(
    exportOf({
      eventName: 'counted',
      attributes: [
        text('user.id', 'ada'),
        text('log.record.uid', uid),
        { key: 'small', value: { intValue: '7' } },
        { key: 'large', value: { intValue: '9223372036854775807' } },
        { key: 'empty', value: {} },
      ],
    }),
  );
  const [[id, properties]] = await stored('uuid', 'properties', 'event');
  expect(id).toBe(uid);
  expect(properties).toMatchObject({
    small: 7,
    large: '9223372036854775807',
  });
});

it('refuses what it cannot read, with the reason', async () => {
  const answers = await Promise.all([
    post(exportOf(), {}),
    post(exportOf(), { 'x-api-key': 'phc_wrong' }),
    post({ logs: [] }),
    post([]),
    post(exportOf(), {
      'x-api-key': project.key,
      'content-type': 'application/x-protobuf',
    }),
  ]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([
    401, 401, 400, 400, 415,
  ]);
  expect(answers[2].json()).toMatchObject({ attr: 'resourceLogs' });
  expect(answers[4].json().detail).toMatch('http/json');
  expect((await post(exportOf())).json()).toEqual({ partialSuccess: {} });
});

it('may be called by pages of every origin', async () => {
  const { statusCode, headers } = await service.app.inject({
    method: 'OPTIONS',
    url: '/v1/logs',
    headers: {
      origin: 'https://shop.example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });
  expect(statusCode).toBe(204);
  expect(headers).toMatchObject({
    'access-control-allow-origin': 'https://shop.example.com',
    'access-control-allow-headers': 'authorization,content-type',
  });
});
