import { shopService } from '../__fixtures__/shopService.ts';
import type { Database } from '../index.ts';
import type { HealthState } from './Health.ts';
import { openTestDatabase, startTestService } from '../testing/index.ts';

it('responds with 503 while the database is unavailable, and recovers', async () => {
  const { database, dispose } = await openTestDatabase('sqlite');
  let alive = true;
  const flaky: Database = { ...database, isAlive: async () => alive };
  let brokerAlive = true;
  const service = await startTestService(
    shopService({
      extend({ health }) {
        health.addCheck('broker', async () => brokerAlive);
      },
    }),
    { database: flaky, now: () => 0 },
  );
  const ask = async (url: string) => {
    const response = await service.app.inject(url);
    return [response.statusCode, response.json()];
  };
  const body = {
    version: expect.stringMatching(/^\d+\./),
    timestamp: '1970-01-01T00:00:00.000Z',
  };
  expect(await ask('/health')).toEqual([
    200,
    { ...body, status: 'ok', database: 'connected' },
  ]);
  expect(await ask('/ready')).toEqual([
    200,
    { status: 'ready', checks: { database: true, broker: true } },
  ]);
  alive = false;
  expect(await ask('/health')).toEqual([
    503,
    { ...body, status: 'degraded', database: 'disconnected' },
  ]);
  alive = true;
  brokerAlive = false;
  expect((await ask('/health'))[0]).toBe(200);
  expect(await ask('/ready')).toEqual([
    503,
    { status: 'unavailable', checks: { database: true, broker: false } },
  ]);
  await service.stop();
  await dispose();
});

it('is not ready while writes fail, as on a full disk', async () => {
  const { database, dispose } = await openTestDatabase('sqlite');
  const writes = vi.spyOn(database, 'transaction');
  const service = await startTestService(shopService(), { database });
  const ask = async (url: string) => (await service.app.inject(url)).statusCode;
  await database.knex.raw('PRAGMA query_only = ON');
  expect(await ask('/ready')).toBe(503);
  expect(await ask('/health')).toBe(200);
  await database.knex.raw('PRAGMA query_only = OFF');
  writes.mockClear();
  for (let poll = 0; poll < 5; poll++) {
    expect(await ask('/ready')).toBe(200);
  }
  expect(writes).toHaveBeenCalledOnce();
  await service.stop();
  await dispose();
});

it('uses the format required by the contract of a service', async () => {
  const definition = {
    ...shopService(),
    health: ({ database }: HealthState) => ({
      status: database === 'connected' ? 'healthy' : 'degraded',
      database,
    }),
  };
  const service = await startTestService(definition);
  expect((await service.app.inject('/health')).json()).toEqual({
    status: 'healthy',
    database: 'connected',
  });
  await service.stop();
});
