import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database, Service } from '@slipway/service-kit';
import {
  FakePortal,
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import {
  API_TOKEN,
  clientOf,
  OTHER_TOKEN,
  startAnalytics,
} from '../__testUtils__/startAnalytics.ts';
import { EventJournal } from '../store/sqlite/EventJournal.ts';
import { PeopleCopies } from './PeopleCopies.ts';
import { PersonStore } from './storage/PersonStore.ts';
import { defineAnalytics } from '../service.ts';

const token = { authorization: `Bearer ${API_TOKEN}` };
const PERSONS = '/api/projects/shop/persons';

describe.each(testDatabaseClients())('persons in %s', databaseClient => {
  let portal: FakePortal;
  let database: Database;
  let dispose: () => Promise<void>;
  let service: Service;
  let client: ReturnType<typeof clientOf>;

  const ask = async (
    path: string,
    options: {
      method?: 'GET' | 'DELETE';
      headers?: Record<string, string>;
    } = {},
  ) => {
    const { method = 'GET', headers = token } = options;
    const response = await service.app.inject({ method, url: path, headers });
    return { status: response.statusCode, body: response.json() };
  };
  const bearer = async (name: string) => ({
    authorization: `Bearer ${await portal.token(`user:default/${name}`)}`,
  });
  let minute = 0;
  /** Sends events a minute apart, in order. */
  const send = (
    events: [event: string, distinctId: string, properties?: object][],
  ) =>
    client.batch(
      events.map(([event, distinctId, properties = {}]) => {
        minute += 1;
        return {
          event,
          distinct_id: distinctId,
          properties,
          timestamp: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
        };
      }),
    );

  beforeEach(async () => {
    portal = await FakePortal.start({
      groups: { 'user:default/ada': ['group:default/platform-admins'] },
    });
    ({ database, dispose } = await openTestDatabase(
      databaseClient,
      defineAnalytics(),
    ));
    service = await startAnalytics({
      database,
      config: { portal: { baseUrl: portal.baseUrl } },
    });
    client = clientOf(service);
  });

  afterEach(async () => {
    await service.stop();
    await dispose();
    await portal.stop();
  });

  it('are merged into one person with all events once they are identified', async () => {
    await send([
      ['$pageview', 'anonymous-1', { $set_once: { first: '/a' } }],
      [
        '$identify',
        'ada',
        { $anon_distinct_id: 'anonymous-1', $set: { plan: 'pro' } },
      ],
      ['bought', 'ada'],
      ['opened', 'grace'],
    ]);
    const { body } = await ask(PERSONS);
    expect(body).toMatchObject({
      persons: [
        { id: 'grace', distinct_ids: ['grace'], is_identified: false },
        {
          id: 'ada',
          distinct_ids: ['ada', 'anonymous-1'],
          is_identified: true,
          properties: { first: '/a', plan: 'pro' },
          created_at: expect.stringContaining('2026-01-01'),
        },
      ],
      has_more: false,
    });
    expect((await ask(`${PERSONS}/anonymous-1`)).body.id).toBe('ada');
    const timeline = await ask(`${PERSONS}/ada/events?limit=2`);
    expect(timeline.body).toMatchObject({
      events: [
        { event: 'bought', distinct_id: 'ada' },
        { event: '$identify', distinct_id: 'ada' },
      ],
      has_more: true,
    });
    const [, { timestamp }] = timeline.body.events;
    const earlier = await ask(`${PERSONS}/ada/events?before=${timestamp}`);
    expect(earlier.body).toMatchObject({
      events: [{ event: '$pageview', distinct_id: 'anonymous-1' }],
      has_more: false,
    });
  });

  it('are updated after a change that the database cannot store', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'persons-'));
    const journal = new EventJournal({ directory });
    // A journal from an earlier version may contain an id that is too long for an index of PostgreSQL.
    const from = randomBytes(4_000).toString('hex');
    journal.people.import(
      ['ada', 'grace'].map(distinctId => ({
        projectId: 'shop',
        distinctId,
        at: 1,
        changes: [
          { kind: 'seen' },
          ...(distinctId === 'ada'
            ? [{ kind: 'merge' as const, from, force: false }]
            : []),
        ],
      })),
    );
    const onDropped = vi.fn();
    await new PeopleCopies({
      journal,
      store: new PersonStore(database),
      onDropped,
    }).apply();
    expect((await ask(`${PERSONS}/grace`)).body.id).toBe('grace');
    expect(onDropped).toHaveBeenCalledTimes(
      databaseClient === 'postgres' ? 1 : 0,
    );
    journal.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('are erased with more ids than a statement may hold', async () => {
    const store = new PersonStore(database);
    await database.transaction(trx =>
      trx('person_ids').insert(
        ['ada', 'grace'].map(id => ({
          project_id: 'shop',
          distinct_id: `${id}-1`,
          person: id,
          version: 1,
        })),
      ),
    );
    const many = Array.from({ length: 70_000 }, (_, index) => `id-${index}`);
    await store.remove('shop', [...many, 'ada']);
    const rows: { person: string }[] = await database.knex('person_ids');
    expect(rows.map(({ person }) => person)).toEqual(['grace']);
  });

  it('have all events on the pages of their timeline, of many ids and of one time', async () => {
    const ids = Array.from(
      { length: 500 },
      (_, index) => `device-${index}-${'x'.repeat(40)}`,
    );
    await client.batch(
      ids.map(alias => ({
        event: '$create_alias',
        distinct_id: 'ada',
        timestamp: '2026-01-01T10:00:00Z',
        properties: { alias },
      })),
    );
    await client.batch(
      ['a', 'b', 'c', 'd', 'e'].map((event, index) => ({
        event,
        distinct_id: ids[100 * index],
        timestamp: `2026-01-02T10:00:0${index === 4 ? 1 : 0}Z`,
      })),
    );
    const { body: first } = await ask(`${PERSONS}/ada/events?limit=2`);
    const names = first.events.map(({ event }: { event: string }) => event);
    expect(names[0]).toBe('e');
    expect(names.slice(1).sort()).toEqual(['a', 'b', 'c', 'd']);
    expect(first.has_more).toBe(true);
    const { timestamp } = first.events.at(-1);
    const { body: second } = await ask(
      `${PERSONS}/ada/events?limit=1&before=${timestamp}`,
    );
    expect(second.events).toHaveLength(ids.length);
    expect(second.has_more).toBe(false);
  });

  it('stay separate if both are identified, unless the merge is forced', async () => {
    await send([
      ['$identify', 'ada', { $set: { a: 1 } }],
      ['$identify', 'grace', { $set: { a: 2, b: 2 } }],
      ['$create_alias', 'ada', { alias: 'grace' }],
      ['$identify', 'ada', { $anon_distinct_id: 'null' }],
    ]);
    expect((await ask(PERSONS)).body.persons).toHaveLength(2);
    await send([
      ['$merge_dangerously', 'ada', { alias: 'grace' }],
      // All ids of a merged person move with it.
      ['$create_alias', 'lin', { alias: 'phone' }],
      ['$merge_dangerously', 'lin', { alias: 'ada' }],
    ]);
    const { persons } = (await ask(PERSONS)).body;
    expect(persons).toMatchObject([
      {
        id: 'lin',
        distinct_ids: ['lin', 'ada', 'grace', 'phone'],
        properties: { a: 1, b: 2 },
      },
    ]);
  });

  it('have the properties that were set last, however late events arrive', async () => {
    const late = minute + 1;
    minute += 10;
    await send([
      ['$set', 'ada', { $set: { plan: 'pro', seats: 3 } }],
      ['$set', 'ada', { $set_once: { plan: 'free' }, $unset: ['seats'] }],
      [
        '$set',
        'ada',
        { $set: { $process: 1 }, $process_person_profile: false },
      ],
    ]);
    minute = late;
    await send([['$set', 'ada', { $set: { plan: 'old', seats: 1, new: 1 } }]]);
    minute += 20;
    expect((await ask(`${PERSONS}/ada`)).body.properties).toEqual({
      plan: 'pro',
      new: 1,
    });
  });

  it('are found by part of an id or property', async () => {
    await send([
      ['$set', 'ada', { $set: { email: 'Ada_L@example.com' } }],
      ['$create_alias', 'grace', { alias: 'device-7' }],
      ['opened', 'a%b'],
    ]);
    const found = async (search: string) =>
      (
        await ask(`${PERSONS}?search=${encodeURIComponent(search)}`)
      ).body.persons.map(({ id }: { id: string }) => id);
    expect(await found('da_l@')).toEqual(['ada']);
    expect(await found('DEVICE-7')).toEqual(['grace']);
    expect(await found('%')).toEqual(['a%b']);
  });

  it('are visible to readers of the project, and erased by administrators', async () => {
    await send([['opened', 'ada']]);
    const url = `${PERSONS}/ada`;
    expect((await ask(PERSONS, { headers: {} })).status).toBe(401);
    const other = { authorization: `Bearer ${OTHER_TOKEN}` };
    expect((await ask(PERSONS, { headers: other })).status).toBe(403);
    expect((await ask(`${PERSONS}?limit=0`)).status).toBe(400);
    expect((await ask(`${PERSONS}/nobody`)).status).toBe(404);
    expect((await ask(`${PERSONS}/nobody/events`)).status).toBe(404);
    const grace = await bearer('grace');
    expect((await ask(url, { headers: grace })).status).toBe(200);
    const remove = { method: 'DELETE' as const };
    expect((await ask(url, { ...remove, headers: {} })).status).toBe(401);
    expect((await ask(url, { ...remove, headers: grace })).status).toBe(403);
    const ada = await bearer('ada');
    const erased = await ask(url, { ...remove, headers: ada });
    expect(erased).toMatchObject({
      status: 202,
      body: { id: expect.any(String), requested_by: 'user:default/ada' },
    });
    const orders = await ask('/api/projects/shop/erasures', { headers: ada });
    expect(orders.body).toEqual({ erasures: [erased.body] });
  });

  it('share group types with other replicas', async () => {
    if (databaseClient === 'sqlite') {
      // Only one process can use a SQLite file.
      return;
    }
    const [one, other] = [new PersonStore(database), new PersonStore(database)];
    expect(await one.groupTypes('shop')).toEqual([]);
    await other.apply({ journal: 'other', seq: 1 }, [
      {
        projectId: 'shop',
        distinctId: 'ada',
        at: 0,
        seq: 1,
        changes: [{ kind: 'group', type: 'company', key: 'acme', set: {} }],
      },
    ]);
    expect(await one.groupTypes('shop')).toEqual(['company']);
  });

  it('are applied once, even if a journal is read repeatedly', async () => {
    const uuid = randomUUID();
    const event = { event: 'opened', distinct_id: 'ada', uuid };
    await client.capture(event);
    await client.capture(event);
    expect((await ask(PERSONS)).body.persons).toHaveLength(1);
  });
});
