import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import type { BuildResult } from '../builds/Build.ts';
import { DiscardStore } from './DiscardStore.ts';

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
    const listed = async (keepsLast: boolean) => {
      const bounds = { endedBefore: 3, keepsLast };
      const ids = await store.listDiscardable('shop/main', bounds);
      return database.knex('builds').whereIn('id', ids).pluck('number');
    };
    // Of the others, the state of the job or the commit would be forgotten.
    expect((await listed(true)).sort()).toEqual([2, 4, 6]);
    expect((await listed(false)).sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    await dispose();
  },
);
