import { fileURLToPath } from 'node:url';
import { KIT_MIGRATIONS, migrate } from '../database/migrate.ts';
import { openTestDatabase, testDatabaseClients } from '../testing/databases.ts';
import { migrateUpTo } from '../testing/migrateUpTo.ts';
import { LeasedQueue } from './LeasedQueue.ts';

it.each(testDatabaseClients())(
  'keeps the deliveries of a database of the version before on %s',
  async client => {
    const { database, dispose } = await openTestDatabase(client);
    await migrateUpTo(database, { last: '20261122000000' });
    const row = {
      endpoint_id: 'receiver',
      event: 'thing.made',
      payload: '{"text":"quote \\" and \\u00e9 and line\\n"}',
      attempts: 0,
      created_at: 1_000,
      next_attempt_at: 1_000,
    };
    const rows = [
      { ...row, id: 'new', state: 'pending' },
      {
        ...row,
        id: 'again',
        state: 'pending',
        attempts: 2,
        created_at: 2_000,
        next_attempt_at: 9_000,
        last_status: 503,
        last_error: 'The receiver answered 503',
      },
      {
        ...row,
        id: 'done',
        state: 'delivered',
        attempts: 1,
        created_at: 3_000,
        delivered_at: 3_500,
        last_status: 204,
      },
      {
        ...row,
        id: 'lost',
        state: 'given_up',
        attempts: 30,
        created_at: 4_000,
        last_error: 'The receiver could not be reached',
      },
    ];
    for (const each of rows) {
      await database.knex('webhook_deliveries').insert(each);
    }
    const before = await database.knex('webhook_deliveries').orderBy('id');
    const migrateAll = () =>
      migrate(database, { directory: KIT_MIGRATIONS, tablePrefix: 'kit_' });
    await migrateAll();

    const queue = new LeasedQueue({ database, name: 'webhooks' });
    const payload = { event: 'thing.made', body: row.payload };
    const shared = { lane: 'receiver', payload };
    expect(await queue.list({ limit: 10 })).toEqual([
      {
        ...shared,
        id: 'lost',
        state: 'failed',
        attempts: 30,
        createdAt: 4_000,
        dueAt: 1_000,
        endedAt: null,
        outcome: { status: null, error: 'The receiver could not be reached' },
      },
      {
        ...shared,
        id: 'done',
        state: 'done',
        attempts: 1,
        createdAt: 3_000,
        dueAt: 1_000,
        endedAt: 3_500,
        outcome: { status: 204, error: null },
      },
      {
        ...shared,
        id: 'again',
        state: 'waiting',
        attempts: 2,
        createdAt: 2_000,
        dueAt: 9_000,
        endedAt: null,
        outcome: { status: 503, error: 'The receiver answered 503' },
      },
      {
        ...shared,
        id: 'new',
        state: 'waiting',
        attempts: 0,
        createdAt: 1_000,
        dueAt: 1_000,
        endedAt: null,
        outcome: null,
      },
    ]);

    // Rolls back, in case the previous version has to run again.
    await database.knex.migrate.down({
      name: '20261122190000_queue.ts',
      directory: fileURLToPath(KIT_MIGRATIONS),
      tableName: 'kit_knex_migrations',
      loadExtensions: ['.ts'],
    });
    expect(await database.knex('webhook_deliveries').orderBy('id')).toEqual(
      before,
    );
    await migrateAll();
    expect(await queue.list({ limit: 10 })).toHaveLength(4);
    await dispose();
  },
);
