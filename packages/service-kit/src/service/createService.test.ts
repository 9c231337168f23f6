import { shopService } from '../__fixtures__/shopService.ts';
import { DatabaseWebhookStore } from '../outbox/index.ts';
import {
  openTestDatabase,
  startTestService,
  testDatabaseClients,
} from '../testing/index.ts';

describe.each(testDatabaseClients())('on %s', client => {
  it('migrates the database that it is given, and leaves it open', async () => {
    const { database, dispose } = await openTestDatabase(client);
    const migrations = new URL(
      '../database/__fixtures__/migrations/',
      import.meta.url,
    );
    const service = await startTestService(
      { ...shopService(), migrations },
      { database },
    );
    expect(await database.knex('things').select()).toEqual([]);
    await service.stop();
    expect(await database.isAlive()).toBe(true);
    await dispose();
  });

  it('forgets deliveries of webhooks that ended long ago, and no others', async () => {
    const { database, dispose } = await openTestDatabase(client);
    const service = await startTestService(shopService(), {
      database,
      config: { webhookDeliveries: { retentionDays: 7 } },
    });
    const store = new DatabaseWebhookStore(database);
    const now = Date.now();
    const delivery = (id: string, daysAgo: number) => ({
      id,
      endpointId: 'receiver',
      event: 'thing.made',
      payload: '{}',
      createdAt: now - daysAgo * 24 * 3_600_000,
    });
    await database.transaction(trx =>
      store.enqueue(trx, [
        delivery('old', 8),
        delivery('waiting', 8),
        delivery('young', 6),
      ]),
    );
    const later = { now, retryAt: now + 60_000 };
    await store.settle('old', { delivered: true, status: 204 }, later);
    await store.settle('young', { delivered: true, status: 204 }, later);
    const failed = { delivered: false as const, status: 503, error: 'busy' };
    await store.settle('waiting', failed, later);

    await service.start();
    await vi.waitFor(async () => {
      const kept = await store.list({ limit: 10 });
      expect(kept.map(({ id }) => id)).toEqual(['young', 'waiting']);
    });
    await service.stop();
    await dispose();
  });
});

it.each([true, false])(
  'tells the service whether it runs in production: %s',
  async is => {
    let told: boolean | undefined;
    const definition = shopService({
      extend(kit) {
        told = kit.isProduction;
      },
    });
    const service = await startTestService(definition, { isProduction: is });
    expect(told).toBe(is);
    await service.stop();
  },
);

it('starts jobs when it listens, and stops them while the database is open', async () => {
  const events: string[] = [];
  const service = await startTestService(
    shopService({
      extend({ onStart, onStop, database }) {
        onStart(() => {
          events.push('started');
        });
        onStop(async () => {
          events.push((await database.isAlive()) ? 'stopped' : 'too late');
        });
      },
    }),
  );
  expect(events).toEqual([]);
  const url = await service.start();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await fetch(`${url}/ready`)).status).toBe(200);
  await service.stop();
  expect(events).toEqual(['started', 'stopped']);
});

it('lets go of what it took when it cannot be made', async () => {
  const stopped = vi.fn();
  const definition = shopService({
    extend({ onStop }) {
      onStop(stopped);
      throw new Error('No such thing');
    },
  });
  await expect(startTestService(definition)).rejects.toThrow('No such thing');
  expect(stopped).toHaveBeenCalledOnce();
});

it('names the faults of its configuration', async () => {
  await expect(
    startTestService(shopService(), { config: { currency: {} } }),
  ).rejects.toThrow('shop.currency must be string');
});
