import type { Database } from '@slipway/service-kit';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { featureFlags } from '../service.ts';
import { ApplicationStore } from './ApplicationStore.ts';

const instance = (instanceId: string) => ({
  appName: 'shop',
  instanceId,
  environment: 'development',
  sdkVersion: null,
  strategies: [],
  startedAt: 0,
  intervalMs: 0,
  seenAt: 0,
  isBehindEdge: false,
});

/** Opens an empty store, which is disposed of when the test ends. */
async function openStore(client: Database['client']) {
  const { database, dispose } = await openTestDatabase(client, featureFlags);
  onTestFinished(dispose);
  return { database, store: new ApplicationStore(database) };
}

describe.each(testDatabaseClients())('instances on %s', client => {
  it('need no transaction if there are none', async () => {
    const { database, store } = await openStore(client);
    const transaction = vi.spyOn(database, 'transaction');
    await store.register([]);
    await store.see([], 1);
    expect(transaction).not.toHaveBeenCalled();
  });

  it('stay behind Edge if they registered before that was stored, until others register there', async () => {
    const day = 86_400_000;
    const { store } = await openStore(client);
    const at = (id: string, seenAt: number) => ({ ...instance(id), seenAt });
    await store.register([
      at('replaced', 0),
      at('one', 2 * day),
      at('two', 2 * day + 1),
    ]);
    const use = {
      appName: 'shop',
      environment: 'development',
      sdkVersion: null,
    };
    await store.seeBehindEdge([use, { ...use, appName: 'other' }], 9 * day);
    expect(await store.list(2)).toMatchObject([
      { instances: 2, seenAt: 9 * day },
    ]);

    await store.register([{ ...at('new', 9 * day), isBehindEdge: true }]);
    await store.seeBehindEdge([use], 11 * day);
    expect(await store.list(2)).toMatchObject([
      { instances: 1, seenAt: 11 * day },
    ]);
  });
});

describe.each(testDatabaseClients().filter(each => each === 'postgres'))(
  'instances that several replicas see on %s',
  client => {
    it('are locked in the order of their names, so that writers wait for each other', async () => {
      const { database, store } = await openStore(client);
      const [first, last] = [instance('Shop-2'), instance('shop-1')];
      await store.register([last]);
      await store.register([first]);
      // A scan without the index finds the last one first.
      await database.knex.schema.alterTable('client_instances', table =>
        table.dropPrimary(),
      );
      const lock = (trx: Database['knex'], { instanceId }: typeof first) =>
        trx('client_instances')
          .where({ instance_id: instanceId })
          .forUpdate()
          .noWait()
          .select('instance_id');
      let seen: Promise<void> | undefined;
      await database.transaction(async trx => {
        await lock(trx, first);
        seen = store.see([last, first], 1);
        await vi.waitUntil(
          async () =>
            (
              await database
                .knex('pg_stat_activity')
                .where({ wait_event_type: 'Lock' })
                .whereRaw('datname = current_database()')
                .select('pid')
            ).length > 0,
          { timeout: 30_000 },
        );
        expect(await lock(trx, last)).toHaveLength(1);
      });
      await seen;
      expect(await store.list(1)).toMatchObject([{ instances: 2, seenAt: 1 }]);
    });
  },
);
