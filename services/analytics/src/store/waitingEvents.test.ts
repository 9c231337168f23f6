import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import { openStore } from '../__testUtils__/openStore.ts';
import { testEngines } from '../__testUtils__/startAnalytics.ts';
import type { AnalyticsEvent } from '../events/AnalyticsEvent.ts';
import { planEventsQuery } from '../query/planEventsQuery.ts';
import type { ColumnStore, StoreView } from './ColumnStore.ts';
import { EventMover } from './EventMover.ts';
import { EventJournal } from './sqlite/EventJournal.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');

function eventsOf(projectId: string, count: number): AnalyticsEvent[] {
  return Array.from({ length: count }, () => ({
    projectId,
    uuid: randomUUID(),
    event: 'opened',
    distinctId: 'ada',
    timestamp: NOW - 1,
    createdAt: NOW,
    properties: '{}',
  }));
}

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'waiting-events-'));
});

afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

describe('the view of a query', () => {
  let journal: EventJournal;
  let mover: EventMover;

  beforeEach(() => {
    journal = new EventJournal({ directory });
    mover = new EventMover(journal);
    mover.columns = {
      engine: 'chdb',
      start: async () => undefined,
      take: async () => undefined,
    } as Partial<ColumnStore> as ColumnStore;
  });

  afterEach(() => journal.close());

  const look = (projectId: string) =>
    mover.look(projectId, async (view: StoreView) => [
      view.boundary,
      view.upTo,
    ]);

  it("has no journal while only other projects' events wait there", async () => {
    journal.append([eventsOf('other', 3)]);
    expect(await look('shop')).toEqual([0, 0]);
    expect(await look('other')).toEqual([0, 3]);

    journal.append([eventsOf('shop', 1)]);
    expect(await look('shop')).toEqual([0, 4]);
    journal.append([eventsOf('other', 1)]);
    expect(await look('shop')).toEqual([0, 5]);

    await mover.move();
    expect(await look('shop')).toEqual([5, 5]);
    journal.append([eventsOf('other', 1)]);
    expect(await look('shop')).toEqual([5, 5]);
    expect(await look('other')).toEqual([5, 6]);
  });

  it('has the events of a commit that follows a failed one', async () => {
    journal.append([eventsOf('other', 2)]);
    expect(await look('shop')).toEqual([0, 0]);
    const broken = { ...eventsOf('other', 1)[0], event: {} as string };
    expect(() => journal.append([eventsOf('other', 1), [broken]])).toThrow();
    expect(await look('shop')).toEqual([0, 0]);
    journal.append([eventsOf('shop', 1)]);
    expect(await look('shop')).toEqual([0, 3]);
  });

  it('has events that were deferred before', async () => {
    journal.append([eventsOf('other', 1)]);
    journal.deferred.add([eventsOf('shop', 2)]);
    expect(await look('shop')).toEqual([0, 0]);
    journal.deferred.admit('shop', 10, kept => [...kept]);
    expect(await look('shop')).toEqual([0, 3]);
  });

  it('has the journal if too many events wait to search them all', async () => {
    journal.append([eventsOf('other', 10_000)]);
    expect(await look('shop')).toEqual([0, 0]);
    journal.append([eventsOf('other', 1)]);
    expect(await look('shop')).toEqual([0, 0]);
    expect(await look('third')).toEqual([0, 10_001]);
  });
});

describe.each(testEngines)('an acknowledged event in %s', engine => {
  it(
    'is read exactly once by the next query, while others arrive and are moved',
    async () => {
      const store = openStore(engine, directory);
      const countOf = async (projectId: string) => {
        const { rows } = await store.query(
          planEventsQuery(
            { kind: 'EventsQuery', select: ['count()'], after: 'all' },
            { projectId, now: NOW },
          ),
        );
        return rows[0][0];
      };
      try {
        let ends = false;
        const others = (async () => {
          while (!ends) {
            await store.append(eventsOf('other', 20));
            // Pauses, so that some events of the projects arrive right after a view.
            await sleep(20);
          }
        })();
        const moves = (async () => {
          while (!ends) {
            await store.moveMany(1);
            await sleep(5);
          }
        })();
        const capture = async (projectId: string) => {
          for (let count = 1; count <= 25; count += 1) {
            // The project mostly has no event in the journal when this one arrives.
            expect(await countOf(projectId)).toBe(count - 1);
            await store.append(eventsOf(projectId, 1));
            expect(await countOf(projectId)).toBe(count);
          }
        };
        await Promise.all(['shop', 'cafe'].map(capture)).finally(() => {
          ends = true;
        });
        await Promise.all([others, moves]);
      } finally {
        await store.close();
      }
    },
    patient(60_000),
  );
});
