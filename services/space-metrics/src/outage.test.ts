import type { Database } from '@slipway/service-kit';
import { DatabaseUnavailableError } from '@slipway/service-kit';
import { openTestDatabase } from '@slipway/service-kit/testing';
import {
  clientOf,
  startSpaceMetrics,
} from './__testUtils__/startSpaceMetrics.ts';

/** A database that can be gone for a while. */
function fragile(database: Database) {
  const state = { gone: false };
  const gone = () => {
    throw new DatabaseUnavailableError(new Error('gone'));
  };
  const wrapped: Database = {
    client: database.client,
    get knex() {
      return state.gone ? gone() : database.knex;
    },
    transaction: async work =>
      state.gone ? gone() : database.transaction(work),
    isAlive: async () => !state.gone,
    close: () => database.close(),
  };
  return { state, database: wrapped };
}

it('answers 503 while its database is gone, and recovers by itself', async () => {
  const { database: real, dispose } = await openTestDatabase('sqlite');
  const { state, database } = fragile(real);
  const service = await startSpaceMetrics({ database });
  const client = clientOf(service);
  expect((await client.survey('ada', 4)).status).toBe(201);

  state.gone = true;
  const refused = await client.survey('ada', 4);
  expect(refused).toMatchObject({
    status: 503,
    body: { error: { code: 'UNAVAILABLE' }, status: 503 },
  });
  expect(await client.get('/health')).toMatchObject({
    status: 503,
    body: { status: 'degraded', database: 'disconnected' },
  });

  state.gone = false;
  expect((await client.survey('grace', 4)).status).toBe(201);
  expect(await client.get('/health')).toMatchObject({
    status: 200,
    body: { status: 'healthy' },
  });
  const { body } = await client.get('/api/v1/metrics/space');
  expect(body.metrics.satisfaction.response_count).toBe(2);
  await service.stop();
  await dispose();
});
