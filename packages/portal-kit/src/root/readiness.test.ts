import { TestDatabases } from '@backstage/backend-test-utils';
import type { Knex } from 'knex';
import { isPostgres } from '../database';
import { Readiness } from './readiness';

describe('Readiness', () => {
  it('names databases that are not writable, and trusts a write for a while', async () => {
    const readiness = new Readiness();
    const full = vi.fn(async (): Promise<void> => {
      throw new Error('SQLITE_FULL: database or disk is full');
    });
    const good = vi.fn(async () => {});
    readiness.add('ide-launcher', full);
    readiness.add('delivery-lake', good);
    expect(await readiness.failing()).toEqual(['ide-launcher']);
    full.mockImplementation(async () => {});
    expect(await readiness.failing()).toEqual([]);
    await Promise.all([readiness.failing(), readiness.failing()]);
    expect(full).toHaveBeenCalledTimes(2);
    expect(good).toHaveBeenCalledTimes(1);
  });
});

const databases = TestDatabases.create({ ids: ['SQLITE_3', 'POSTGRES_18'] });

describe.each(databases.eachSupportedId())('a database on %s', databaseId => {
  it('reports whether it is writable', async () => {
    const knex = await databases.init(databaseId);
    const { readiness, forget } = forgetful();
    readiness.watch('catalog', knex);
    for (const _ of [1, 2]) {
      expect(await readiness.failing()).toEqual([]);
      forget();
    }
    await expect(knex('readiness')).resolves.toHaveLength(1);
    await knex.schema.dropTable('readiness');
    expect(await readiness.failing()).toEqual(['catalog']);
  });

  it('is not ready while it is read-only', async () => {
    const knex = await databases.init(databaseId);
    const { readiness, forget } = forgetful();
    readiness.watch('delivery-lake', knex);
    expect(await readiness.failing()).toEqual([]);
    forget();
    await makeReadOnly(knex, true);
    await expect(knex('readiness')).resolves.toHaveLength(1);
    expect(await readiness.failing()).toEqual(['delivery-lake']);
    await makeReadOnly(knex, false);
    expect(await readiness.failing()).toEqual([]);
  });
});

/** Creates a readiness whose clock can be advanced, so that it no longer trusts an earlier write. */
function forgetful() {
  let passed = 0;
  return {
    readiness: new Readiness(() => performance.now() + passed),
    forget: () => {
      passed += 11_000;
    },
  };
}

async function makeReadOnly(knex: Knex, isReadOnly: boolean): Promise<void> {
  const value = isReadOnly ? 'on' : 'off';
  if (!isPostgres(knex)) {
    await knex.raw(`PRAGMA query_only = ${value}`);
    return;
  }
  const { rows } = await knex.raw('SELECT current_database() AS name');
  await knex.raw('SET default_transaction_read_only = off');
  await knex.raw(
    `ALTER DATABASE "${rows[0].name}" SET default_transaction_read_only = ${value}`,
  );
  // The setting takes effect for new connections.
  await knex.destroy();
  knex.initialize();
}
