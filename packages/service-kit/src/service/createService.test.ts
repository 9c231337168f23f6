import { shopService } from '../__fixtures__/shopService.ts';
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
});

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
