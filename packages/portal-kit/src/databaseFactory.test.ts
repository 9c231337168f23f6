import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  mockServices,
  ServiceFactoryTester,
} from '@backstage/backend-test-utils';
import { databaseFactory } from './databaseFactory';

describe('databaseFactory', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'databases-'));
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  it('opens SQLite with a log that is synced at each commit', async () => {
    const database = await ServiceFactoryTester.from(databaseFactory, {
      dependencies: [
        mockServices.rootConfig.factory({
          data: {
            backend: {
              database: { client: 'better-sqlite3', connection: { directory } },
            },
          },
        }),
      ],
    }).getSubject('lake');
    const knex = await database.getClient();

    expect(await knex.raw('PRAGMA journal_mode')).toEqual([
      { journal_mode: 'wal' },
    ]);
    // 2 is FULL.
    expect(await knex.raw('PRAGMA synchronous')).toEqual([{ synchronous: 2 }]);
    expect(await database.getClient()).toBe(knex);
    await knex.destroy();
  });
});
