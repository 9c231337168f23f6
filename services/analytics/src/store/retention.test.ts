import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Service } from '@slipway/service-kit';
import Database from 'better-sqlite3';
import { openStore } from '../__testUtils__/openStore.ts';
import {
  clientOf,
  startAnalytics,
  allEngines,
} from '../__testUtils__/startAnalytics.ts';
import type { AnalyticsEvent } from '../events/AnalyticsEvent.ts';
import { planEventsQuery } from '../query/planEventsQuery.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');
const DAY_MS = 24 * 3_600_000;

const eventAt = (timestamp: number): AnalyticsEvent => ({
  projectId: 'shop',
  uuid: randomUUID(),
  event: 'opened',
  distinctId: 'ada',
  timestamp,
  createdAt: NOW,
  properties: '{"plan":"pro"}',
});
const plan = planEventsQuery(
  { kind: 'EventsQuery', select: ['count()'], after: 'all' },
  { projectId: 'shop', now: NOW },
);

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'retention-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

describe.each(allEngines)('old events in %s', engine => {
  it('are deleted permanently, and newer ones are kept', async () => {
    const { signal } = new AbortController();
    const store = openStore(engine, directory);
    const before = NOW - 30 * DAY_MS;
    const old = Array.from({ length: 6_000 }, () => eventAt(before - 1));
    await store.append([...old, eventAt(before), eventAt(NOW - 1)]);
    expect(await store.query(plan)).toEqual({ rows: [[6_002]] });

    await store.deletes.before(before, signal);
    expect(await store.query(plan)).toEqual({ rows: [[2]] });
    await store.close();

    const again = openStore(engine, directory);
    await again.append([eventAt(NOW - 2)]);
    expect(await again.query(plan)).toEqual({ rows: [[3]] });
    await again.close();
  });
});

describe('a service', () => {
  let service: Service | undefined;

  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });

  async function start(events: object): Promise<ReturnType<typeof clientOf>> {
    service = await startAnalytics({
      directory,
      config: { events: { directory, engine: 'sqlite', ...events } },
    });
    return clientOf(service);
  }

  const sent = (daysAgo: number) => ({
    event: 'opened',
    distinct_id: 'ada',
    timestamp: new Date(Date.now() - daysAgo * DAY_MS).toISOString(),
  });

  it('keeps all events unless a retention is configured', async () => {
    const client = await start({});
    await client.batch([sent(4_000), sent(1)]);
    await service!.start();
    expect(await client.count()).toBe(2);
  });

  it('deletes events that exceed the retention', async () => {
    const client = await start({ retentionDays: 30 });
    await client.batch([sent(32), sent(29)]);
    expect(await client.count()).toBe(2);
    await service!.start();
    await vi.waitFor(async () => expect(await client.count()).toBe(1));
  });

  it('continues if nothing can be deleted', async () => {
    const before = await start({ retentionDays: 30 });
    await before.batch([sent(32)]);
    await service!.stop();
    const database = new Database(path.join(directory, 'events.sqlite'));
    database.exec(`
      UPDATE seen SET day = 0;
      CREATE TRIGGER full BEFORE DELETE ON seen
        BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END;
      CREATE TRIGGER full_too BEFORE DELETE ON events
        BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END;
    `);
    const client = await start({ retentionDays: 30 });
    // An uncaught error in a timer would end the process.
    await service!.start();
    await new Promise(resolve => {
      setTimeout(resolve, 6_000);
    });
    expect((await client.capture(sent(1))).status).toBe(200);
    database.exec('DROP TRIGGER full');
    await vi.waitFor(() =>
      expect(database.prepare('SELECT day FROM seen').all()).toHaveLength(1),
    );
    database.close();
  });
});
