import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { Database, Service } from '@slipway/service-kit';
import {
  FakePortal,
  migrateUpTo,
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import {
  API_TOKEN,
  clientOf,
  startAnalytics,
} from '../__testUtils__/startAnalytics.ts';
import { countArrivals } from '../store/sqlite/countArrivals.ts';
import { EventJournal } from '../store/sqlite/EventJournal.ts';
import { DAY_MS, type Observed } from './Definition.ts';
import { DefinitionCounter } from './DefinitionCounter.ts';
import { DefinitionStore } from './storage/DefinitionStore.ts';
import { ObservedNames } from './storage/ObservedNames.ts';
import { defineAnalytics } from '../service.ts';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);
const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const token = { authorization: `Bearer ${API_TOKEN}` };

/** Builds an event for the journal. */
function eventOf(name: string, timestamp: number) {
  return {
    projectId: 'shop',
    uuid: randomUUID(),
    event: name,
    distinctId: 'ada',
    timestamp,
    createdAt: timestamp,
    properties: JSON.stringify({
      plan: 'pro',
      seats: 3,
      $set: { since: '2026-01-01' },
    }),
  };
}

describe.each(testDatabaseClients())('definitions in %s', databaseClient => {
  describe('over HTTP', () => {
    let dispose: () => Promise<void>;
    let portal: FakePortal;
    let service: Service;
    let grace: Record<string, string>;
    let ada: Record<string, string>;

    const ask = async (
      url: string,
      options: {
        method?: 'DELETE' | 'GET' | 'PATCH';
        payload?: object;
        headers?: object;
      } = {},
    ) => {
      const { method = 'GET', payload, headers = token } = options;
      const response = await service.app.inject({
        method,
        url: `/api/projects/shop/${url}`,
        payload,
        headers: headers as Record<string, string>,
      });
      return {
        status: response.statusCode,
        body: response.body === '' ? undefined : response.json(),
      };
    };

    beforeAll(async () => {
      const opened = await openTestDatabase(databaseClient, defineAnalytics());
      dispose = opened.dispose;
      portal = await FakePortal.start({
        groups: { 'user:default/ada': ['group:default/platform-admins'] },
      });
      service = await startAnalytics({
        database: opened.database,
        now: () => NOW,
        countSeconds: 0.1,
        config: { portal: { baseUrl: portal.baseUrl } },
      });
      await service.start();
      grace = {
        authorization: `Bearer ${await portal.token('user:default/grace')}`,
      };
      ada = {
        authorization: `Bearer ${await portal.token('user:default/ada')}`,
      };
      const yesterday = new Date(NOW - DAY_MS).toISOString();
      await clientOf(service).batch([
        {
          event: 'bought',
          distinct_id: 'a',
          properties: { price: 9.5, plan: 'pro', $set: { vip: true } },
        },
        {
          event: 'bought',
          distinct_id: 'b',
          timestamp: yesterday,
          properties: { price: 'free' },
        },
        {
          event: 'old',
          distinct_id: 'b',
          timestamp: '2026-01-01T00:00:00Z',
          properties: { at: '2026-01-01' },
        },
      ]);
      await vi.waitFor(
        async () => {
          const { body } = await ask('event_definitions');
          if (body.count < 2) {
            throw new Error('Not counted yet');
          }
        },
        { timeout: 20_000, interval: 200 },
      );
    });

    afterAll(async () => {
      await service.stop();
      await dispose();
      await portal.stop();
    });

    it('show when and how often events and properties were seen, and their types', async () => {
      const events = await ask('event_definitions');
      expect(events).toMatchObject({
        status: 200,
        body: {
          next: null,
          previous: null,
          results: [
            {
              name: 'bought',
              created_at: new Date(NOW - DAY_MS).toISOString(),
              last_seen_at: new Date(NOW).toISOString(),
              volume_30_day: 2,
              used_by_insights: 0,
              verified: false,
              owner: null,
            },
            { name: 'old', volume_30_day: 0 },
          ],
        },
      });
      const { body } = await ask('property_definitions?ordering=name');
      expect(
        body.results.map((each: Record<string, unknown>) => [
          each.name,
          each.property_type,
        ]),
      ).toEqual([
        ['at', 'DateTime'],
        ['plan', 'String'],
        // Its values are a number and a text.
        ['price', 'String'],
      ]);
      const persons = await ask('property_definitions?type=person');
      expect(persons.body.results).toMatchObject([
        { name: 'vip', property_type: 'Boolean', volume_30_day: 1 },
      ]);
    });

    it('can be searched, sorted and paged', async () => {
      const names = async (query: string) => {
        const { body } = await ask(`event_definitions?${query}`);
        return body.results.map(({ name }: { name: string }) => name);
      };
      expect(await names('search=OUG')).toEqual(['bought']);
      expect(await names('search=%25')).toEqual([]);
      expect(await names('ordering=created_at')).toEqual(['old', 'bought']);
      const { body } = await ask('event_definitions?limit=1&offset=1');
      expect([body.results[0].name, body.next]).toEqual(['old', null]);
      expect(body.previous).toContain('offset=0');
      for (const query of ['limit=0', 'ordering=rank', 'offset=-1']) {
        expect((await ask(`event_definitions?${query}`)).status).toBe(400);
      }
      expect((await ask('event_definitions', { headers: {} })).status).toBe(
        401,
      );
      const other = await service.app.inject({
        url: '/api/projects/other/event_definitions',
        headers: token,
      });
      expect(other.statusCode).toBe(403);
    });

    it('can be annotated by readers of the project', async () => {
      const { body } = await ask('event_definitions');
      const [{ id }] = body.results;
      const url = `event_definitions/${id}`;
      const notes = {
        description: ' Paid. ',
        owner: 'payments',
        verified: true,
        hidden: true,
      };
      const change = (to: string, payload: object, headers: object = grace) =>
        ask(to, { method: 'PATCH', payload, headers });
      expect(await change(url, notes)).toMatchObject({
        status: 200,
        body: {
          ...notes,
          description: 'Paid.',
          updated_by: 'user:default/grace',
          volume_30_day: 2,
        },
      });
      expect((await change(url, {})).status).toBe(400);
      expect((await change(url, notes, token)).status).toBe(401);
      expect((await change(`property_definitions/${id}`, notes)).status).toBe(
        404,
      );
      expect((await change('event_definitions/none', notes)).status).toBe(404);
      const shown = await ask('event_definitions?exclude_hidden=true');
      expect(shown.body.results).toMatchObject([{ name: 'old' }]);
      // Two people change different notes at the same time.
      await Promise.all([
        change(url, { description: 'By card.' }),
        change(url, { owner: 'sales' }, ada),
        change(url, { verified: false }),
      ]);
      expect((await ask(url)).body).toMatchObject({
        description: 'By card.',
        owner: 'sales',
        verified: false,
        hidden: true,
      });
    });

    it('can be read individually, and deleted by admins until the next event', async () => {
      const { body } = await ask('property_definitions?search=at');
      const [at] = body.results;
      const url = `property_definitions/${at.id}`;
      expect(await ask(url)).toEqual({ status: 200, body: at });
      expect((await ask(url, { headers: {} })).status).toBe(401);
      expect((await ask(`event_definitions/${at.id}`)).status).toBe(404);
      const remove = (headers: object) =>
        ask(url, { method: 'DELETE', headers });
      expect((await remove(token)).status).toBe(401);
      expect((await remove(grace)).status).toBe(403);
      expect((await remove(ada)).status).toBe(204);
      expect((await remove(ada)).status).toBe(404);
      expect((await ask(url)).status).toBe(404);
    });

    it('list the saved insights that use them', async () => {
      await service.app.inject({
        method: 'POST',
        url: '/api/projects/shop/insights',
        headers: grace,
        payload: {
          name: 'Sales',
          query: {
            kind: 'TrendsQuery',
            series: [{ kind: 'EventsNode', event: 'bought' }],
            breakdownFilter: { breakdown: 'plan' },
          },
        },
      });
      const { body } = await ask('event_definitions?ordering=name');
      expect(
        body.results.map(
          (each: { used_by_insights: number }) => each.used_by_insights,
        ),
      ).toEqual([1, 0]);
      const { body: found } = await ask('property_definitions?search=plan');
      expect(found.results).toMatchObject([{ used_by_insights: 1 }]);
    });
  });

  describe('of a journal', () => {
    let database: Database;
    let dispose: () => Promise<void>;
    let directory: string;

    beforeEach(async () => {
      ({ database, dispose } = await openTestDatabase(databaseClient));
      directory = await mkdtemp(path.join(tmpdir(), 'definitions-'));
      await migrateUpTo(database, { last: '9999', directory: MIGRATIONS });
    });

    afterEach(async () => {
      await dispose();
      await rm(directory, { recursive: true, force: true });
    });

    /** Counts like the service, with a store that may fail after its transaction. */
    const count = async (
      journal: EventJournal,
      readStored?: (before: number) => Promise<Observed[]>,
    ) => {
      const store = new DefinitionStore(database);
      const counter = new DefinitionCounter({
        arrivals: {
          id: journal.id,
          last: () => journal.arrivals.last(),
          async count(request) {
            const file = new SqliteDatabase(journal.filename, {
              readonly: true,
            });
            try {
              return countArrivals(file, request);
            } finally {
              file.close();
            }
          },
        },
        store: new ObservedNames(database),
        readStored,
        now: () => NOW,
      });
      await counter.open();
      await counter.count();
      const { definitions } = await store.list(
        'shop',
        {
          kind: 'event',
          withHidden: true,
          order: { by: 'name', descending: false },
          limit: 10,
          offset: 0,
        },
        NOW,
      );
      return definitions.map(({ name, volume }) => [name, volume]);
    };

    it('count each event once, even if counting restarts', async () => {
      let journal = new EventJournal({ directory });
      const add = (events: number) =>
        journal.append([
          Array.from({ length: events }, (_, index) =>
            eventOf('opened', NOW - index),
          ),
        ]);
      add(2_500);
      expect(await count(journal)).toEqual([['opened', 2_500]]);
      expect(await count(journal)).toEqual([['opened', 2_500]]);
      add(5);
      journal.close();
      journal = new EventJournal({ directory });
      expect(await count(journal)).toEqual([['opened', 2_505]]);
      journal.close();
    });

    it('include events that were stored earlier', async () => {
      const journal = new EventJournal({ directory });
      journal.append([[eventOf('opened', NOW)]]);
      const stored = async (): Promise<Observed[]> => [
        {
          projectId: 'shop',
          kind: 'event',
          name: 'opened',
          firstSeenAt: 5,
          lastSeenAt: NOW,
          days: new Map([[Math.floor(NOW / DAY_MS), 7]]),
        },
      ];
      expect(await count(journal, stored)).toEqual([['opened', 7]]);
      journal.append([[eventOf('opened', NOW)]]);
      expect(await count(journal, stored)).toEqual([['opened', 8]]);
      journal.close();
    });
  });
});
