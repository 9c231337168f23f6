import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Database, Service } from '@slipway/service-kit';
import {
  FakePortal,
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import {
  clientOf,
  PROJECT_KEY,
  startAnalytics,
} from '../__testUtils__/startAnalytics.ts';
import { defineAnalytics } from '../service.ts';

const event = { event: 'opened', distinct_id: 'ada' };
const UUID = '01890a5d-ac96-774b-bcce-b302099a8057';

describe.each(testDatabaseClients())('how events arrive, in %s', client => {
  let portal: FakePortal;
  let database: Database;
  let dispose: () => Promise<void>;
  let directory: string;
  let service: Service;
  const sessions: Record<string, Record<string, string>> = { nobody: {} };

  const start = () =>
    startAnalytics({
      database,
      directory,
      config: {
        portal: { baseUrl: portal.baseUrl },
        capture: { eventsPerMinute: 20, deferredEvents: 5 },
        events: { directory, engine: 'sqlite' },
        projects: [
          {
            id: 'shop',
            name: 'Shop',
            keys: [{ name: 'test', key: PROJECT_KEY }],
            readers: ['group:default/research'],
          },
        ],
      },
    });
  const read = async (name: string, project = 'shop') => {
    const response = await service.app.inject({
      url: `/api/projects/${project}/ingestion`,
      headers: sessions[name],
    });
    return { status: response.statusCode, body: response.json() };
  };

  beforeAll(async () => {
    portal = await FakePortal.start({
      groups: {
        'user:default/ada': ['group:default/platform-admins'],
        'user:default/lin': ['group:default/research'],
        'user:default/joan': ['group:default/payments'],
      },
    });
    for (const name of ['ada', 'lin', 'joan']) {
      const token = await portal.token(`user:default/${name}`);
      sessions[name] = { authorization: `Bearer ${token}` };
    }
    ({ database, dispose } = await openTestDatabase(client, defineAnalytics()));
    directory = await mkdtemp(path.join(tmpdir(), 'ingestion-'));
    service = await start();
  });

  afterAll(async () => {
    await service.stop();
    await dispose();
    await portal.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('is empty at first, and visible only to readers of the project', async () => {
    expect((await read('nobody')).status).toBe(401);
    expect((await read('joan')).status).toBe(403);
    expect((await read('ada', 'none')).status).toBe(404);
    const { status, body } = await read('lin');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      last_event_at: null,
      received: 0,
      repeated: 0,
      repaired: 0,
      lag: { events: 0, oldest_at: null },
      deferred: 0,
      deferred_limit: 5,
      dropped: [],
    });
    expect(body.minutes).toHaveLength(60);
  });

  it('is counted by minute: repeated, repaired, dropped and deferred events', async () => {
    const { batch, post } = clientOf(service);
    await batch.call(clientOf(service), [
      { ...event, uuid: UUID },
      { ...event, uuid: UUID },
    ]);
    await post('/batch', {
      api_key: PROJECT_KEY,
      batch: [
        event,
        { ...event, distinct_id: 7 },
        { ...event, timestamp: 'soon' },
        { ...event, event: 'x'.repeat(201) },
        { distinct_id: 'ada' },
      ],
    });
    const { body } = await read('lin');
    expect(body).toMatchObject({ received: 6, repeated: 1, repaired: 3 });
    expect(body.dropped).toMatchObject([
      { reason: 'no_event_name', events: 1 },
    ]);
    const counted = body.minutes.reduce(
      (sum: number, { received }: { received: number }) => sum + received,
      0,
    );
    expect(counted).toBe(6);
    expect(Date.now() - Date.parse(body.last_event_at)).toBeLessThan(60_000);

    await post('/batch', {
      api_key: PROJECT_KEY,
      batch: Array.from({ length: 21 }, () => event),
    });
    const full = (await read('lin')).body;
    expect(full.deferred).toBe(5);
    expect(full.dropped).toContainEqual(
      expect.objectContaining({ reason: 'over_limit' }),
    );
    expect(full.received + full.deferred).toBeLessThanOrEqual(25);
  });

  it('shows unknown keys and paths to admins, without revealing the keys', async () => {
    const { post } = clientOf(service);
    const key = 'phc_somebodys_secret_abcd';
    await post('/batch', { api_key: key, batch: [event] });
    await post('/batch', { api_key: key, batch: [event] });
    await service.app.inject('/unknown/path?key=secret');
    expect((await read('lin')).body.unknown).toBeUndefined();
    const { unknown } = (await read('ada')).body;
    expect(unknown).toMatchObject({
      keys: [{ name: 'phc_…abcd', requests: 2 }],
      paths: [{ name: '/unknown/path', requests: 1 }],
    });
    expect(JSON.stringify(unknown)).not.toContain('secret');
  });

  it('counts keys that no database can store', async () => {
    const { post } = clientOf(service);
    const counted = (await read('ada')).body.unknown.keys.length;
    for (const end of ['\0', '\ud800', '\udfff']) {
      await post('/batch', {
        api_key: `${'a'.repeat(20)}${end}`,
        batch: [event],
      });
    }
    const { status, body } = await read('ada');
    expect(status).toBe(200);
    expect(body.unknown.keys).toHaveLength(counted + 1);
    expect(body.unknown.keys).toContainEqual(
      expect.objectContaining({ name: '…aaa\u{fffd}', requests: 3 }),
    );
  });

  it('is kept across a restart', async () => {
    const before = (await read('ada')).body;
    await service.stop();
    service = await start();
    const { body } = await read('ada');
    expect(body.received).toBeGreaterThanOrEqual(before.received);
    expect(body.last_event_at).not.toBeNull();
    expect(body.unknown.keys).toEqual(before.unknown.keys);
  });
});
