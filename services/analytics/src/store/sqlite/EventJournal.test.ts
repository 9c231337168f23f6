import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { startAnalytics } from '../../__testUtils__/startAnalytics.ts';
import { EventJournal } from './EventJournal.ts';
import { DirectoryInUseError } from './journalFile.ts';

const DAY_MS = 24 * 3_600_000;
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'event-journal-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

it('deletes all expired uuids at once, regardless of their number', async () => {
  const journal = new EventJournal({ directory });
  const eventAt = (day: number) => ({
    projectId: 'shop',
    uuid: randomUUID(),
    event: 'opened',
    distinctId: 'ada',
    timestamp: 0,
    createdAt: day * DAY_MS,
    properties: '{}',
  });
  journal.append([Array.from({ length: 9_000 }, () => eventAt(1))]);
  journal.append([[eventAt(5)]]);
  const { signal } = new AbortController();
  await journal.forgetSeen({ before: 4 * DAY_MS, most: 100 }, signal);
  journal.close();
  const file = new Database(path.join(directory, 'events.sqlite'));
  expect(file.prepare('SELECT day FROM seen').all()).toEqual([{ day: 5 }]);
  file.close();
});

it('remembers a limited number of uuids, the newest', async () => {
  const journal = new EventJournal({ directory });
  const eventsOf = (day: number, count: number) =>
    Array.from({ length: count }, () => ({
      projectId: 'shop',
      uuid: randomUUID(),
      event: 'opened',
      distinctId: 'ada',
      timestamp: 0,
      createdAt: day * DAY_MS,
      properties: '{}',
    }));
  const [young] = eventsOf(5, 1);
  journal.append([eventsOf(3, 2_500), eventsOf(4, 40), [young]]);
  const { signal } = new AbortController();
  await journal.forgetSeen({ before: 0, most: 11 }, signal);
  expect(journal.append([[young]])).toEqual([0]);
  journal.close();
  const file = new Database(path.join(directory, 'events.sqlite'));
  const counts = file.prepare(
    'SELECT day, count(*) AS n FROM seen GROUP BY day',
  );
  expect(counts.all()).toEqual([
    { day: 4, n: 10 },
    { day: 5, n: 1 },
  ]);
  file.close();
});

it('does not count the uuids of events that could not be stored', async () => {
  const journal = new EventJournal({ directory });
  const eventOf = (properties: string) => ({
    projectId: 'shop',
    uuid: randomUUID(),
    event: 'opened',
    distinctId: 'ada',
    timestamp: 0,
    createdAt: DAY_MS,
    properties,
  });
  const kept = [eventOf('{}'), eventOf('{}')];
  journal.append([kept.slice(0, 1)]);
  journal.deferred.add([kept.slice(1)]);
  expect(() =>
    journal.append([[eventOf('{}'), { ...eventOf('{}'), event: null! }]]),
  ).toThrow();
  expect(() =>
    journal.deferred.admit('shop', 10, events => [
      ...events,
      { ...eventOf('{}'), event: null! },
    ]),
  ).toThrow();
  expect(journal.deferred.admit('shop', 10, events => events)).toEqual({
    admitted: 1,
    added: 1,
  });
  const { signal } = new AbortController();
  await journal.forgetSeen({ before: 0, most: 2 }, signal);
  expect(journal.append([kept])).toEqual([0]);
  await journal.forgetSeen({ before: 0, most: 1 }, signal);
  expect(journal.append([kept])).toEqual([1]);
  journal.close();
});

it('records the person and group of an event that is sent again after its commit failed', () => {
  const journal = new EventJournal({ directory });
  const event = {
    projectId: 'shop',
    uuid: randomUUID(),
    event: 'opened',
    distinctId: 'ada',
    timestamp: 0,
    createdAt: DAY_MS,
    properties: JSON.stringify({ $groups: { company: 'acme' } }),
  };
  const impossible = { ...event, uuid: randomUUID(), event: null! };
  expect(() => journal.append([[event], [impossible]])).toThrow();
  expect(journal.append([[event]])).toEqual([1]);
  const kinds = journal.people
    .oldest(10)
    .flatMap(({ changes }) => changes.map(({ kind }) => kind));
  expect(kinds).toEqual(['group', 'seen']);
  journal.close();
});

it('locks its directory until it is closed', () => {
  const journal = new EventJournal({ directory });
  expect(() => new EventJournal({ directory })).toThrow(DirectoryInUseError);
  journal.close();
  new EventJournal({ directory }).close();
});

it('prevents a second service from starting on its directory', async () => {
  const journal = new EventJournal({ directory });
  await expect(startAnalytics({ directory })).rejects.toThrow(
    /events\.directory.* in use by another process/,
  );
  journal.close();
  const service = await startAnalytics({ directory });
  await service.stop();
});
