import {
  migrateUpTo,
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import type { Database } from '@slipway/service-kit';
import { BotLedger } from './BotLedger.ts';

describe.each(testDatabaseClients())('the ledger on %s', databaseClient => {
  let database: Database;
  let dispose: () => Promise<void>;
  const clock = { now: 1_000_000 };
  const ledger = () => new BotLedger({ database, now: () => clock.now });

  beforeAll(async () => {
    ({ database, dispose } = await openTestDatabase(databaseClient));
    await migrateUpTo(database, {
      last: '20261121000000',
      directory: new URL('../../migrations/', import.meta.url),
    });
  });

  afterAll(() => dispose());

  it('allows only one of many to claim a message', async () => {
    const claims = await Promise.all(
      Array.from({ length: 8 }, () => ledger().claim('many')),
    );
    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  it('allows claiming a message again after a failure, but not once it is answered', async () => {
    expect(await ledger().claim('one')).toBe(true);
    await ledger().release('one');
    expect(await ledger().claim('one')).toBe(true);
    expect(await ledger().claim('one')).toBe(false);
    clock.now += 60_000;
    expect(await ledger().claim('one')).toBe(true);
    await ledger().complete('one');
    await ledger().release('one');
    clock.now += 60_000;
    expect(await ledger().claim('one')).toBe(false);
  });

  it('deletes entries after a month', async () => {
    await ledger().claim('old');
    await ledger().complete('old');
    clock.now += 31 * 24 * 3_600_000;
    await ledger().purge();
    expect(await ledger().claim('old')).toBe(true);
  });
});
