import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import type { Service } from '@slipway/service-kit';
import { FakePortal } from '@slipway/service-kit/testing';
import {
  clickhouseDatabase,
  eventsConfig,
  runOnClickhouse,
} from '../__testUtils__/clickhouseSetup.ts';
import { filesWith } from '../__testUtils__/filesWith.ts';
import {
  API_TOKEN,
  clientOf,
  PROJECT_KEY,
  startAnalytics,
  allEngines,
} from '../__testUtils__/startAnalytics.ts';

/** Values that do not occur anywhere else. */
const ID = 'erase-me-5512-id';
const DEVICE = 'erase-me-5512-device';
const MARK = 'erase-me-5512';

/** Counts the server's rows that contain the person, including rows that deletes have only masked. */
async function rowsOnServer(directory: string): Promise<number> {
  const database = clickhouseDatabase(directory);
  const counts = await Promise.all(
    [
      ['events', 'concat(distinct_id, properties)'],
      ['persons', 'concat(person, properties)'],
      ['person_ids', 'concat(person, distinct_id)'],
    ].map(([table, text]) =>
      runOnClickhouse(
        `SELECT count() FROM ${database}.${table} WHERE position(${text}, '${MARK}') > 0 SETTINGS apply_deleted_mask = 0 FORMAT TSV`,
      ),
    ),
  );
  return counts.reduce((sum, count) => sum + Number(count), 0);
}

describe.each(allEngines)('an erased person in %s', engine => {
  let directory: string;
  let portal: FakePortal;
  let service: Service;
  let client: ReturnType<typeof clientOf>;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'erasure-'));
    portal = await FakePortal.start({
      groups: { 'user:default/ada': ['group:default/platform-admins'] },
    });
    service = await startAnalytics({
      directory,
      config: {
        portal: { baseUrl: portal.baseUrl },
        database: {
          client: 'better-sqlite3',
          connection: { filename: path.join(directory, 'db.sqlite') },
        },
        events: {
          ...eventsConfig(engine, directory),
          moveFrom: 50,
        },
      },
    });
    client = clientOf(service);
  });

  afterEach(async () => {
    await service.stop();
    await portal.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('is in no file after a minute, and does not reappear', async () => {
    const headers = {
      authorization: `Bearer ${await portal.token('user:default/ada')}`,
    };
    const ask = async (method: 'GET' | 'DELETE', rest: string) => {
      const url = `/api/projects/shop/${rest}`;
      const response = await service.app.inject({ method, url, headers });
      return response.json();
    };
    const others = Array.from({ length: 100 }, (_, index) => ({
      event: 'opened',
      distinct_id: `other-${index}`,
    }));
    await client.batch([
      { event: '$pageview', distinct_id: DEVICE },
      {
        event: '$identify',
        distinct_id: ID,
        properties: {
          $anon_distinct_id: DEVICE,
          $set: { email: `${MARK}@example.com` },
        },
      },
      ...others,
    ]);
    await service.start();
    expect(await client.count()).toBe(102);
    const inColumns = async () =>
      engine === 'clickhouse'
        ? await rowsOnServer(directory)
        : (await filesWith(path.join(directory, 'chdb'), MARK)).length;
    if (engine !== 'sqlite') {
      await vi.waitUntil(async () => (await inColumns()) > 0, 30_000);
    }
    // Another event is still in the journal.
    await client.capture({ event: 'bought', distinct_id: ID });
    expect((await ask('GET', `persons/${ID}`)).distinct_ids).toHaveLength(2);
    expect(await filesWith(directory, MARK)).not.toEqual([]);

    const names = async () => {
      const { body } = await client.post(
        '/api/query',
        {
          refresh: 'lazy_async',
          query: {
            kind: 'EventsQuery',
            select: ['distinct_id'],
            where: [`distinct_id like '${MARK}%'`],
            after: 'all',
          },
        },
        { authorization: `Bearer ${API_TOKEN}` },
      );
      return body.results.length;
    };
    expect(await names()).toBe(3);

    const begun = performance.now();
    await ask('DELETE', `persons/${DEVICE}`);
    // A device that was offline sends its queued events.
    await client.capture({ event: 'late', distinct_id: DEVICE });
    await vi.waitFor(
      async () =>
        expect(await ask('GET', 'erasures')).toMatchObject({
          erasures: [{ done_at: expect.any(String) }],
        }),
      { timeout: 60_000, interval: 200 },
    );
    expect(performance.now() - begun).toBeLessThan(patient(60_000));
    expect(await filesWith(directory, MARK)).toEqual([]);
    expect(engine === 'sqlite' ? 0 : await inColumns()).toBe(0);
    expect(await client.count()).toBe(100);
    // Cached results from before the deletion are not returned.
    expect(await names()).toBe(0);
    await client.capture({ event: 'again', distinct_id: ID });
    expect(await client.count()).toBe(100);
  });

  it('is erased without a profile, as SDKs send most visitors', async () => {
    await client.batch([
      {
        event: '$pageview',
        distinct_id: DEVICE,
        properties: { $process_person_profile: false },
      },
      { event: '$pageview', distinct_id: 'other' },
    ]);
    await service.start();
    const headers = {
      authorization: `Bearer ${await portal.token('user:default/ada')}`,
    };
    const erase = (id: string) =>
      service.app.inject({
        method: 'DELETE',
        url: `/api/projects/shop/persons/${id}`,
        headers,
      });
    expect((await erase('nobody')).statusCode).toBe(404);
    expect((await erase(DEVICE)).statusCode).toBe(202);
    await vi.waitFor(async () => expect(await client.count()).toBe(1), {
      timeout: 60_000,
      interval: 200,
    });
  });

  it('is erased while all of its events wait for the limit of the project', async () => {
    await service.stop();
    const limited = (eventsPerMinute: number) =>
      startAnalytics({
        directory,
        config: {
          portal: { baseUrl: portal.baseUrl },
          database: {
            client: 'better-sqlite3',
            connection: { filename: path.join(directory, 'db.sqlite') },
          },
          capture: { eventsPerMinute },
          events: eventsConfig(engine, directory),
        },
      });
    service = await limited(10);
    client = clientOf(service);
    const events = Array.from({ length: 30 }, (_, index) => ({
      event: 'opened',
      distinct_id: index < 10 ? `other-${index}` : ID,
    }));
    const sent = { api_key: PROJECT_KEY, batch: events };
    expect((await client.post('/batch/', sent)).status).toBe(200);
    await service.start();
    expect(await filesWith(directory, MARK)).not.toEqual([]);

    const headers = {
      authorization: `Bearer ${await portal.token('user:default/ada')}`,
    };
    const erase = (id: string) =>
      service.app.inject({
        method: 'DELETE',
        url: `/api/projects/shop/persons/${id}`,
        headers,
      });
    expect((await erase('nobody')).statusCode).toBe(404);
    expect((await erase(ID)).statusCode).toBe(202);
    await vi.waitFor(
      async () => expect(await filesWith(directory, MARK)).toEqual([]),
      // Poll rarely, as each poll starts a process.
      { timeout: 60_000, interval: 1_000 },
    );

    await service.stop();
    service = await limited(1_000);
    client = clientOf(service);
    await service.start();
    expect(await client.count()).toBe(10);
  });
});
