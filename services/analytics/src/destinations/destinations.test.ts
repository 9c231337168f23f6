import { createHash, createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { parquetReadObjects } from 'hyparquet';
import type { Service } from '@slipway/service-kit';
import { FakePortal, startProcess } from '@slipway/service-kit/testing';
import { eventsConfig } from '../__testUtils__/clickhouseSetup.ts';
import {
  allEngines,
  API_TOKEN,
  clientOf,
  PROJECT_KEY,
  startAnalytics,
} from '../__testUtils__/startAnalytics.ts';
import { Receiver, type Received } from './__testUtils__/Receiver.ts';

const NOW = Date.parse('2026-11-21T10:20:00.000Z');
const HOUR_MS = 3_600_000;
const SECRET = 'a-secret-of-the-receiver';
const KEY_ID = 'AKIDEXAMPLE';
const KEY = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';

const sha256 = (text: string | Buffer) =>
  createHash('sha256').update(text).digest('hex');

/** Computes the signature of an S3 request as AWS's documentation describes it. */
function signatureOf({ request, body }: Received): string {
  const { authorization = '' } = request.headers;
  const [, scope, signed] =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=/.exec(
      authorization,
    )!;
  const { pathname } = new URL(`http://x${request.url}`);
  const canonical = [
    request.method,
    pathname,
    '',
    ...signed.split(';').map(name => `${name}:${request.headers[name]}`),
    '',
    signed,
    sha256(body),
  ].join('\n');
  const toSign = [
    'AWS4-HMAC-SHA256',
    request.headers['x-amz-date'],
    scope,
    sha256(canonical),
  ].join('\n');
  const key = scope
    .split('/')
    .reduce<Buffer | string>(
      (secret, part) => createHmac('sha256', secret).update(part).digest(),
      `AWS4${KEY}`,
    );
  return createHmac('sha256', key).update(toSign).digest('hex');
}

/** Poll rarely: the service under test shares the processor with the polling. */
const WAIT = { timeout: 40_000, interval: 200 };

const uuid = (n: number) =>
  `01a1fd90-4447-707d-b85d-${String(n).padStart(12, '0')}`;
const numbered = (from: number, count: number, event = 'bought') =>
  Array.from({ length: count }, (_, index) => ({
    uuid: uuid(from + index),
    event,
    distinct_id: 'ada',
    properties: { n: from + index },
    // The time at which an event happened does not matter, only its arrival.
    timestamp: '2026-01-01T00:00:00Z',
  }));

describe.each(allEngines)('destinations of events in %s', engine => {
  let directory: string;
  let portal: FakePortal;
  let asGrace: string;
  let receiver: Receiver;
  let url: string;
  let service: Service;
  let now: number;

  const start = async (destinations: object[]) => {
    const events = path.join(directory, 'events');
    service = await startAnalytics({
      directory: events,
      now: () => now,
      config: {
        portal: { baseUrl: portal.baseUrl },
        rateLimit: { enabled: false },
        database: {
          client: 'better-sqlite3',
          connection: { filename: path.join(directory, 'db.sqlite') },
        },
        // Some events are in the columns, others in the journal.
        events: { ...eventsConfig(engine, events), moveFrom: 100 },
        projects: [
          {
            id: 'shop',
            name: 'Shop',
            keys: [{ name: 'test', key: PROJECT_KEY }],
            apiTokens: [{ name: 'test', key: API_TOKEN }],
            destinations,
          },
        ],
      },
    });
    await service.start();
  };

  const shown = async (authorization?: string) => {
    const response = await service.app.inject({
      url: '/api/projects/shop/destinations',
      headers: {
        authorization: authorization ?? asGrace,
      },
    });
    return { status: response.statusCode, body: response.json() };
  };
  const deliveries = async () => {
    const response = await service.app.inject({
      url: '/api/projects/shop/destinations/crm/deliveries',
      headers: {
        authorization: asGrace,
      },
    });
    return response.json().deliveries as { error: string | null }[];
  };
  const isLeased = async () =>
    (await shown()).body.destinations[0].received_up_to !== undefined;

  beforeEach(async () => {
    now = NOW;
    directory = await mkdtemp(path.join(tmpdir(), 'destinations-'));
    portal = await FakePortal.start({ groups: {} });
    asGrace = `Bearer ${await portal.token('user:default/grace')}`;
    receiver = new Receiver();
    url = await receiver.start();
  });

  afterEach(async () => {
    await service.stop();
    await portal.stop();
    receiver.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('are webhooks, which receive each chosen event once, in order, after failures', async () => {
    await start([
      { kind: 'webhook', id: 'crm', url, secret: SECRET, events: ['bought'] },
    ]);
    await vi.waitUntil(isLeased, WAIT);
    receiver.status = 503;
    const client = clientOf(service);
    now += 1_000;
    expect((await client.batch(numbered(0, 450))).status).toBe(200);
    expect((await client.batch(numbered(900, 5, 'seen'))).status).toBe(200);
    // Events of other replicas reach a server within a minute.
    now += engine === 'clickhouse' ? 70_000 : 20_000;
    await vi.waitUntil(
      async () => (await shown()).body.destinations[0].failures === 1,
      WAIT,
    );
    expect((await shown()).body.destinations[0]).toMatchObject({
      id: 'crm',
      kind: 'webhook',
      address: url,
      delivered: 0,
      last_error: 'The receiver answered 503',
    });
    receiver.status = 200;
    now += 10_000;
    await vi.waitUntil(() => receiver.uuids().length >= 450, WAIT);
    expect(receiver.uuids()).toEqual(
      Array.from({ length: 450 }, (_, n) => uuid(n)),
    );
    const [{ request, body }] = receiver.received;
    expect(request.headers['x-slipway-signature-256']).toBe(
      `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
    );
    expect(JSON.parse(String(body))).toMatchObject({
      project: 'shop',
      destination: 'crm',
      events: expect.arrayContaining([
        {
          uuid: uuid(0),
          event: 'bought',
          distinct_id: 'ada',
          timestamp: '2026-01-01T00:00:00.000Z',
          created_at: expect.any(String),
          properties: { n: 0 },
        },
      ]),
    });
    await vi.waitUntil(
      async () => (await shown()).body.destinations[0].delivered === 450,
      WAIT,
    );
    const [state] = (await shown()).body.destinations;
    expect(state).toMatchObject({ failures: 0, delivered: 450 });
    expect(state).not.toHaveProperty('last_error');
    expect(JSON.stringify(state)).not.toContain(SECRET);
    expect((await shown('Bearer no')).status).toBe(401);
  });

  it('get fewer events at once if they only take small requests', async () => {
    await start([{ kind: 'webhook', id: 'crm', url, secret: SECRET }]);
    await vi.waitUntil(isLeased, WAIT);
    receiver.mostBytes = 10_000;
    now += 1_000;
    expect((await clientOf(service).batch(numbered(0, 1_000))).status).toBe(
      200,
    );
    now += engine === 'clickhouse' ? 70_000 : 20_000;
    await vi.waitUntil(() => receiver.uuids().length >= 1_000, WAIT);
    expect(receiver.uuids()).toEqual(
      Array.from({ length: 1_000 }, (_, n) => uuid(n)),
    );
    // Requests with 200, 100 and 50 events are refused; larger ones are not retried with every batch.
    expect(receiver.tooLarge).toBeLessThanOrEqual(4);
    expect((await shown()).body.destinations[0]).toMatchObject({ failures: 0 });
  });

  it('skip an event that is too large alone', async () => {
    await start([{ kind: 'webhook', id: 'crm', url, secret: SECRET }]);
    await vi.waitUntil(isLeased, WAIT);
    receiver.mostBytes = 10_000;
    now += 1_000;
    const events = numbered(0, 60);
    Object.assign(events[7].properties, { text: 'x'.repeat(20_000) });
    expect((await clientOf(service).batch(events)).status).toBe(200);
    now += engine === 'clickhouse' ? 70_000 : 20_000;
    await vi.waitUntil(
      async () => (await shown()).body.destinations[0].delivered === 59,
      WAIT,
    );
    expect(receiver.uuids()).toEqual(
      Array.from({ length: 60 }, (_, n) => uuid(n)).toSpliced(7, 1),
    );
    expect(receiver.tooLarge).toBeLessThan(15);
    const [state] = (await shown()).body.destinations;
    expect(state).toMatchObject({ failures: 0 });
    expect(state).not.toHaveProperty('last_error');
    expect((await deliveries()).filter(({ error }) => error)).toMatchObject([
      {
        events: 1,
        status: 413,
        error: `The receiver answered 413: skipped ${uuid(7)}`,
      },
    ]);
  });

  it('fail if everything is too large, and keep all but the first events', async () => {
    await start([{ kind: 'webhook', id: 'crm', url, secret: SECRET }]);
    await vi.waitUntil(isLeased, WAIT);
    receiver.mostBytes = 0;
    now += 1_000;
    expect((await clientOf(service).batch(numbered(0, 30))).status).toBe(200);
    now += engine === 'clickhouse' ? 70_000 : 20_000;
    await vi.waitUntil(
      async () => (await shown()).body.destinations[0].failures >= 1,
      WAIT,
    );
    expect((await shown()).body.destinations[0]).toMatchObject({
      delivered: 0,
      last_error: 'The receiver answered 413',
    });
    const skipped = (await deliveries()).filter(({ error }) =>
      error?.includes('skipped'),
    );
    expect(skipped).toHaveLength(9);
    receiver.mostBytes = Infinity;
    now += 10_000;
    await vi.waitUntil(
      async () => (await shown()).body.destinations[0].delivered === 21,
      WAIT,
    );
    expect(receiver.uuids()).toEqual(
      Array.from({ length: 21 }, (_, n) => uuid(9 + n)),
    );
    expect((await shown()).body.destinations[0]).toMatchObject({ failures: 0 });
  });

  describe.runIf(engine === 'clickhouse')('of several replicas', () => {
    it('do not wait for one that has moved its events and stopped', async () => {
      await start([]);
      const database = new Database(path.join(directory, 'db.sqlite'));
      const marks = database.prepare('SELECT project_id FROM journal_marks');
      expect(marks.all()).toEqual([{ project_id: '' }]);
      expect((await clientOf(service).batch(numbered(0, 3))).status).toBe(200);
      await service.stop();
      expect(marks.all()).toEqual([]);
      database.close();
    });

    it('wait for the events that another replica has not moved yet', async () => {
      await start([{ kind: 'webhook', id: 'crm', url, secret: SECRET }]);
      await vi.waitUntil(isLeased, WAIT);
      const database = new Database(path.join(directory, 'db.sqlite'));
      database
        .prepare('INSERT INTO journal_marks VALUES (?, ?, ?, ?)')
        .run('of another', '', NOW + 500, NOW);
      now += 1_000;
      await clientOf(service).batch(numbered(0, 3));
      now += 70_000;
      await vi.waitUntil(
        async () =>
          (await shown()).body.destinations[0].received_up_to ===
          new Date(NOW + 500).toISOString(),
        WAIT,
      );
      expect(receiver.uuids()).toEqual([]);
      database
        .prepare('DELETE FROM journal_marks WHERE journal = ?')
        .run('of another');
      database.close();
      await vi.waitUntil(() => receiver.uuids().length === 3, WAIT);
    });
  });

  it('are buckets, which receive a signed file per hour', async () => {
    await start(
      (['ndjson', 'parquet'] as const).map(format => ({
        kind: 's3',
        id: format,
        endpoint: url,
        region: 'eu-central-1',
        bucket: 'events-of-shop',
        prefix: 'raw/',
        accessKeyId: KEY_ID,
        secretAccessKey: KEY,
        format,
      })),
    );
    await vi.waitUntil(isLeased, WAIT);
    const client = clientOf(service);
    now += 1_000;
    await client.batch(numbered(0, 3));
    now = NOW + HOUR_MS;
    await client.batch(numbered(3, 2));
    now = NOW + 1.5 * HOUR_MS;
    await vi.waitUntil(() => receiver.received.length >= 2, WAIT);
    now = NOW + 2.5 * HOUR_MS;
    await vi.waitUntil(() => receiver.received.length >= 4, WAIT);
    for (const received of receiver.received) {
      const { authorization = '' } = received.request.headers;
      expect(authorization).toContain(`Credential=${KEY_ID}/`);
      expect(authorization).toContain('/eu-central-1/s3/aws4_request');
      expect(authorization.split('Signature=')[1]).toBe(signatureOf(received));
      expect(received.request.headers['x-amz-content-sha256']).toBe(
        sha256(received.body),
      );
    }
    const files = Object.fromEntries(
      receiver.received.map(({ request, body }) => [request.url, body]),
    );
    const names = Object.keys(files).sort();
    const base = '/events-of-shop/raw/shop/2026/11/21';
    expect(names).toEqual(
      ['10', '11'].flatMap(hour =>
        ['ndjson', 'parquet'].map(format =>
          expect.stringMatching(
            new RegExp(
              `^${base}/${hour}/2[0-9]+-${uuid(hour === '10' ? 0 : 3)}.${format}$`,
            ),
          ),
        ),
      ),
    );
    const lines = String(files[names[0]]).trimEnd().split('\n');
    expect(lines.map(line => JSON.parse(line).properties.n)).toEqual([0, 1, 2]);
    const file = new Uint8Array(files[names[3]]).buffer;
    const rows = await parquetReadObjects({ file });
    expect(rows.map(row => row.uuid)).toEqual([uuid(3), uuid(4)]);
  });
});

/** Checks whether a service has recorded where its destinations begin. */
function isMarked(directory: string): boolean {
  const database = new Database(path.join(directory, 'db.sqlite'), {
    readonly: true,
  });
  try {
    return database.prepare('SELECT id FROM destinations').all().length > 0;
  } finally {
    database.close();
  }
}

it('sends again what a receiver had not confirmed before a kill', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'destinations-'));
  const receiver = new Receiver();
  const url = await receiver.start();
  const run = () =>
    startProcess({
      module: new URL('../service.ts', import.meta.url),
      name: 'defineAnalytics',
      config: {
        database: {
          client: 'better-sqlite3',
          connection: { filename: `${directory}/db.sqlite` },
        },
        events: { directory, engine: 'sqlite' },
        projects: [
          {
            id: 'shop',
            name: 'Shop',
            keys: [{ name: 'test', key: PROJECT_KEY }],
            destinations: [{ kind: 'webhook', id: 'crm', url, secret: SECRET }],
          },
        ],
      },
    });
  let service = await run();
  try {
    // The first run records where the destination begins.
    await vi.waitUntil(() => isMarked(directory), WAIT);
    await fetch(`${service.url}/api/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: PROJECT_KEY, batch: numbered(0, 300) }),
    });
    const unanswered = await new Promise<Received>(resolve => {
      receiver.onRequest = resolve;
    });
    await service.end('SIGKILL');
    receiver.onRequest = undefined;
    service = await run();
    await vi.waitUntil(() => receiver.uuids().length >= 300, WAIT);
    expect(receiver.received[0].body).toEqual(unanswered.body);
    expect(receiver.uuids()).toEqual(
      Array.from({ length: 300 }, (_, n) => uuid(n)),
    );
  } finally {
    await service.end('SIGKILL');
    receiver.stop();
    await rm(directory, { recursive: true, force: true });
  }
});
