import { shopService } from '../__fixtures__/shopService.ts';
import { LeasedQueue } from '../queue/LeasedQueue.ts';
import {
  openTestDatabase,
  startTestService,
  testDatabaseClients,
} from '../testing/index.ts';

describe.each(testDatabaseClients())('on %s', client => {
  it('migrates a given database, and does not close it', async () => {
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

  it('deletes only webhook deliveries that finished long ago', async () => {
    const { database, dispose } = await openTestDatabase(client);
    const service = await startTestService(shopService(), {
      database,
      config: { webhookDeliveries: { retentionDays: 7 } },
    });
    const queue = new LeasedQueue({
      database,
      name: 'webhooks',
      keepsEnded: true,
    });
    const now = Date.now();
    const delivery = (id: string, daysAgo: number) => ({
      id,
      lane: 'receiver',
      payload: { event: 'thing.made', body: '{}' },
      createdAt: now - daysAgo * 24 * 3_600_000,
    });
    await database.transaction(trx =>
      queue.enqueue(trx, [
        delivery('old', 8),
        delivery('waiting', 8),
        delivery('young', 6),
      ]),
    );
    for (const item of await queue.lease({ now, leaseMs: 60_000, limit: 3 })) {
      if (item.id === 'waiting') {
        await queue.retry(item, { at: now + 60_000 });
      } else {
        await queue.complete(item, { now });
      }
    }

    await service.start();
    await vi.waitFor(async () => {
      const kept = await queue.list({ limit: 10 });
      expect(kept.map(({ id }) => id)).toEqual(['young', 'waiting']);
    });
    await service.stop();
    await dispose();
  });
});

it('gives the addresses of the portal to which paths can be appended', async () => {
  let portal: unknown;
  const definition = shopService({
    extend(kit) {
      portal = kit.portal;
    },
  });
  const service = await startTestService(definition, {
    config: {
      portal: {
        baseUrl: 'http://portal.example/back/',
        appUrl: 'http://portal.example/',
      },
    },
  });
  expect(portal).toEqual({
    baseUrl: 'http://portal.example/back',
    appUrl: 'http://portal.example',
  });
  await service.stop();
});

it.each([true, false])(
  'tells the service whether it is in production: %s',
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

it('releases its resources if it cannot be created', async () => {
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

it('reports the errors in its configuration', async () => {
  await expect(
    startTestService(shopService(), { config: { currency: {} } }),
  ).rejects.toThrow('shop.currency must be string');
});
