import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { startAnalytics } from '../../__testUtils__/startAnalytics.ts';
import { EventJournal } from './EventJournal.ts';
import { DirectoryInUseError } from './lockDirectory.ts';

const DAY_MS = 24 * 3_600_000;
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'event-journal-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

it('forgets all old uuids at once, however many they are', async () => {
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
  await journal.forgetSeen(4 * DAY_MS, new AbortController().signal);
  journal.close();
  const file = new Database(path.join(directory, 'events.sqlite'));
  expect(file.prepare('SELECT day FROM seen').all()).toEqual([{ day: 5 }]);
  file.close();
});

it('has its directory for itself, until it is closed', () => {
  const journal = new EventJournal({ directory });
  expect(() => new EventJournal({ directory })).toThrow(DirectoryInUseError);
  journal.close();
  new EventJournal({ directory }).close();
}, 20_000);

it('keeps a second service on its directory from starting', async () => {
  const journal = new EventJournal({ directory });
  await expect(startAnalytics({ directory })).rejects.toThrow(
    /events\.directory.* in use by another process/,
  );
  journal.close();
  const service = await startAnalytics({ directory });
  await service.stop();
}, 30_000);
