import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import knexFactory from 'knex';
import {
  createTestDatabase,
  openTestDatabase,
  testDatabaseClients,
} from '../testing/databases.ts';
import {
  type Database,
  type DatabaseConfig,
  openDatabase,
  wrapKnex,
} from './openDatabase.ts';
import {
  DatabaseUnavailableError,
  isConnectionError,
} from './databaseErrors.ts';
import { migrate } from './migrate.ts';
import { contains } from './sql.ts';

const MIGRATIONS = {
  directory: new URL('./__fixtures__/migrations/', import.meta.url),
};

it('is tested on both engines', () => {
  expect(testDatabaseClients()).toEqual(['sqlite', 'postgres']);
});

describe.each(testDatabaseClients())('on %s', client => {
  let database: Database;
  let dispose: () => Promise<void>;

  beforeEach(async () => {
    ({ database, dispose } = await openTestDatabase(client));
    await migrate(database, MIGRATIONS);
  });
  afterEach(() => dispose());

  const insert = (id: string, size = 1) =>
    database.transaction(trx => trx('things').insert({ id, size }));
  const ids = async () =>
    (await database.knex('things').orderBy('id')).map(row => row.id);

  it('finds rows that contain a text, with its wildcards as they are', async () => {
    for (const id of ['Été 100%', 'SUMMER 1000', 'a_b', 'ab']) {
      await insert(id);
    }
    const found = async (text: string) =>
      (
        await database
          .knex('things')
          .whereRaw(...contains('id', text))
          .orderBy('id')
      ).map(row => row.id);
    expect(await found('Été')).toEqual(['Été 100%']);
    expect(await found('summer')).toEqual(['SUMMER 1000']);
    expect(await found('100%')).toEqual(['Été 100%']);
    expect(await found('A_B')).toEqual(['a_b']);
  });

  it('does nothing when migrated again', async () => {
    await insert('kept');
    await migrate(database, MIGRATIONS);
    await expect(ids()).resolves.toEqual(['kept']);
  });

  it('migrates after a process died during a migration', async () => {
    await database.knex('knex_migrations_lock').update({ is_locked: 1 });
    await migrate(database, MIGRATIONS);
    await expect(ids()).resolves.toEqual([]);
  });

  it('isolates many concurrent transactions', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 300 }, (_, index) =>
        database.transaction(async trx => {
          await trx('things').insert({ id: `a${index}`, size: index });
          if (index % 3 === 0) {
            throw new Error(`no ${index}`);
          }
          return index;
        }),
      ),
    );
    outcomes.forEach((outcome, index) =>
      expect(outcome).toEqual(
        index % 3 === 0
          ? { status: 'rejected', reason: new Error(`no ${index}`) }
          : { status: 'fulfilled', value: index },
      ),
    );
    await expect(ids()).resolves.toHaveLength(200);
  });

  it('rejects only the transaction with the failing statement', async () => {
    await insert('taken');
    const [first, second] = await Promise.allSettled([
      insert('taken'),
      insert('free'),
    ]);
    expect(first.status).toBe('rejected');
    expect(second.status).toBe('fulfilled');
    await expect(ids()).resolves.toEqual(['free', 'taken']);
  });

  it('increments without losing updates', async () => {
    await insert('counter', 0);
    await Promise.all(
      Array.from({ length: 50 }, () =>
        database.transaction(async trx => {
          const row = await trx('things').where({ id: 'counter' }).forUpdate();
          await trx('things')
            .where({ id: 'counter' })
            .update({ size: row[0].size + 1 });
        }),
      ),
    );
    await expect(database.knex('things').first()).resolves.toEqual({
      id: 'counter',
      size: 50,
    });
  });

  it('is alive until it is closed', async () => {
    await expect(database.isAlive()).resolves.toBe(true);
  });
});

it('retries a conflicting PostgreSQL transaction', async () => {
  const { database, dispose } = await openTestDatabase('postgres');
  await migrate(database, MIGRATIONS);
  let attempts = 0;
  await database.transaction(async trx => {
    attempts += 1;
    if (attempts < 3) {
      throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    }
    await trx('things').insert({ id: 'once', size: attempts });
  });
  await expect(database.knex('things').first()).resolves.toEqual({
    id: 'once',
    size: 3,
  });
  await dispose();
});

describe('migrations on postgres', () => {
  let config: DatabaseConfig & { client: 'pg' };
  let dispose: () => Promise<void>;

  beforeEach(async () => {
    const made = await createTestDatabase('postgres');
    config = made.config as typeof config;
    ({ dispose } = made);
  });
  afterEach(() => dispose());

  it('need no more than a pool of one connection', async () => {
    const database = await openDatabase(
      { ...config, poolSize: 1 },
      { root: '/' },
    );
    await migrate(database, MIGRATIONS);
    await expect(database.knex('things')).resolves.toEqual([]);
    await database.close();
  });

  it('may take longer than the statement timeout, and wait that long for another', async () => {
    const open = (statement_timeout?: number) =>
      wrapKnex(
        knexFactory({
          client: 'pg',
          connection: {
            connectionString: config.connection as string,
            statement_timeout,
          },
        }),
      );
    const [first, second] = [open(300), open(300)];
    await expect(first.knex.raw('SELECT pg_sleep(1)')).rejects.toThrow(
      'statement timeout',
    );
    const slow = {
      directory: new URL('./__fixtures__/slow/', import.meta.url),
    };
    await Promise.all([migrate(first, slow), migrate(second, slow)]);
    await expect(second.knex('slow')).resolves.toEqual([]);
    await Promise.all([first.close(), second.close()]);
  });
});

it('reports an unavailable PostgreSQL as unavailable', async () => {
  const database = await openDatabase(
    { client: 'pg', connection: 'postgresql://nobody@127.0.0.1:1/none' },
    { root: '/' },
  );
  await expect(database.isAlive()).resolves.toBe(false);
  await expect(
    database.transaction(trx => trx.raw('SELECT 1')),
  ).rejects.toThrow(DatabaseUnavailableError);
  await database.close();
});

it('opens a SQLite file durably, and creates its directory', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'kit-'));
  const config = {
    client: 'better-sqlite3' as const,
    connection: { filename: 'deep/down/db.sqlite' },
  };
  const database = await openDatabase(config, { root });
  await migrate(database, MIGRATIONS);
  await database.transaction(trx =>
    trx('things').insert({ id: 'kept', size: 1 }),
  );
  await expect(database.knex.raw('PRAGMA journal_mode')).resolves.toEqual([
    { journal_mode: 'wal' },
  ]);
  await expect(database.knex.raw('PRAGMA synchronous')).resolves.toEqual([
    { synchronous: 2 },
  ]);
  await database.close();

  const again = await openDatabase(config, { root });
  await expect(again.knex('things')).resolves.toEqual([
    { id: 'kept', size: 1 },
  ]);
  await again.close();
  await rm(root, { recursive: true });
});

it('rejects callers waiting for the single SQLite connection before their request times out', async () => {
  const { database, dispose } = await openTestDatabase('sqlite');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const held = await database.knex.transaction();
    const read = database.knex.raw('SELECT 1').then(
      () => undefined,
      (error: unknown) => error,
    );
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await read).toSatisfy(isConnectionError);
    await held.rollback();
    await expect(database.knex.raw('SELECT 1')).resolves.toBeDefined();
  } finally {
    vi.useRealTimers();
  }
  await dispose();
});
