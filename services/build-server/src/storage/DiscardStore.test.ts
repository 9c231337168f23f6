import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import type { BuildResult } from '../builds/Build.ts';
import { DiscardStore } from './DiscardStore.ts';
import { TestStore } from './TestStore.ts';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);

it.each(testDatabaseClients())(
  'keeps the last builds of a job that is not built any more on %s',
  async client => {
    const { database, dispose } = await openTestDatabase(client, {
      migrations: MIGRATIONS,
    });
    const results: [BuildResult, started: boolean][] = [
      ['SUCCESS', true],
      ['FAILURE', true],
      ['UNSTABLE', true],
      ['FAILURE', true],
      ['FAILURE', true],
      ['ABORTED', false],
      ['ABORTED', false],
    ];
    await database.knex('builds').insert(
      results.map(([result, isStarted], index) => ({
        ...{ job: 'shop/main', number: index + 1, state: 'finished', result },
        ...{ cause: 'Triggered by dev', parameters: '{}', steps: '[]' },
        ...{ queued_at: 1, due_at: 1, attempt: 1, finished_at: 2 },
        started_at: isStarted ? 1 : null,
      })),
    );
    const store = new DiscardStore(database);
    const listed = async (isRemoved: boolean) => {
      const bounds = { endedBefore: 3, isRemoved };
      const ids = await store.listDiscardable('shop/main', bounds);
      return database.knex('builds').whereIn('id', ids).pluck('number');
    };
    // Deleting the others would lose the state of the job or of the commit.
    expect((await listed(false)).sort()).toEqual([2, 4, 6]);
    expect((await listed(true)).sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    await dispose();
  },
);

it.each(testDatabaseClients())(
  'passes over builds that people keep until their job is long gone on %s',
  async client => {
    const { database, dispose } = await openTestDatabase(client, {
      migrations: MIGRATIONS,
    });
    await database.knex('jobs').insert({
      ...{ name: 'shop', last_number: 6, seen_at: 50 },
    });
    const ids = await database
      .knex('builds')
      .insert(
        [1, 2, 3, 4, 5, 6].map(number => ({
          ...{ job: 'shop', number, state: 'finished', result: 'SUCCESS' },
          ...{ cause: 'Triggered by dev', parameters: '{}', steps: '[]' },
          ...{ queued_at: 1, due_at: 1, attempt: 1 },
          ...{ started_at: 1, finished_at: 2 },
        })),
      )
      .returning('id');
    const store = new DiscardStore(database);
    const kept = { by: 'user:default/ada', at: 3, reason: 'Released' };
    for (const at of [0, 4]) {
      expect(await store.keep(ids[at].id, kept)).toBe(true);
    }
    expect(await store.keep(4_711, kept)).toBe(false);
    const listed = async (bounds: {
      keepBuilds?: number;
      endedBefore?: number;
      isRemoved: boolean;
    }) => {
      const found = await store.listDiscardable('shop', bounds);
      return (
        await database.knex('builds').whereIn('id', found).pluck('number')
      ).sort();
    };
    // Two besides those that are kept.
    expect(await listed({ keepBuilds: 2, isRemoved: false })).toEqual([2, 3]);
    expect(await listed({ endedBefore: 3, isRemoved: false })).toEqual([
      2, 3, 4,
    ]);
    const all = [1, 2, 3, 4, 5, 6];
    expect(await listed({ endedBefore: 40, isRemoved: true })).toEqual([
      2, 3, 4, 6,
    ]);
    expect(await listed({ endedBefore: 60, isRemoved: true })).toEqual(all);
    await store.keep(ids[0].id, null);
    expect(await listed({ keepBuilds: 2, isRemoved: false })).toEqual([
      1, 2, 3,
    ]);
    await dispose();
  },
);

it.each(testDatabaseClients())(
  'decides once whether a build is kept or deleted on %s',
  async client => {
    const { database, dispose } = await openTestDatabase(client, {
      migrations: MIGRATIONS,
    });
    const rows: { id: number }[] = await database
      .knex('builds')
      .insert(
        [1, 2, 3, 4].map(number => ({
          ...{ job: 'shop', number, result: 'SUCCESS' },
          state: number === 3 ? 'running' : 'finished',
          ...{ cause: 'Triggered by dev', parameters: '{}', steps: '[]' },
          ...{ queued_at: 1, due_at: 1, attempt: 1 },
          ...{ started_at: 1, finished_at: 2 },
        })),
      )
      .returning('id');
    const [first, second, running, last] = rows.map(({ id }) => id);
    const store = new DiscardStore(database);
    const kept = { by: 'user:default/ada', at: 3, reason: null };
    const bounds = { endedBefore: 3, isRemoved: false };
    const listed = await store.listDiscardable('shop', bounds);
    expect(listed).toEqual([first, second]);
    // Someone keeps one of them after they were listed.
    expect(await store.keep(first, kept)).toBe(true);
    expect(await store.begin([...listed, running], { now: 4 })).toEqual([
      second,
    ]);
    expect(await store.keep(second, kept)).toBe(false);
    expect(await store.keep(second, null)).toBe(false);
    // If the process ends now, a later one continues, even if the limits have changed.
    expect(await store.listDiscardable('shop', { isRemoved: false })).toEqual([
      second,
    ]);
    expect(await store.begin([second], { now: 5 })).toEqual([second]);
    await store.remove([second]);
    expect(await store.listDiscardable('shop', bounds)).toEqual([]);
    expect(await store.begin([first], { now: 6, evenKept: true })).toEqual([
      first,
    ]);
    expect(await database.knex('builds').pluck('id')).toContain(last);
    await dispose();
  },
);

it.each(testDatabaseClients())(
  'forgets the tests of which no results are left on %s',
  async client => {
    const { database, dispose } = await openTestDatabase(client, {
      migrations: MIGRATIONS,
    });
    const { knex } = database;
    const tests = new TestStore(database);
    for (const [id, own] of [
      [1, ['old', 'kept']],
      [2, ['kept', 'new']],
    ] as const) {
      const build = { id, job: 'shop', source: null, finishedAt: 2 };
      const cases = own.map(name => ({
        ...{ suite: 'Cart', name, durationMs: 1 },
        outcome: 'passed' as const,
      }));
      await database.transaction(trx => tests.record(trx, build, cases));
    }
    const store = new DiscardStore(database);
    const names = async () => (await knex('test_cases').pluck('name')).sort();
    await store.removeUnusedTests();
    expect(await names()).toEqual(['kept', 'new', 'old']);
    await store.remove([1]);
    await store.removeUnusedTests();
    expect(await names()).toEqual(['kept', 'new']);
    await dispose();
  },
);
