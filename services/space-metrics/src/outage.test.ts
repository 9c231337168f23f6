import type { Database } from '@slipway/service-kit';
import { DatabaseUnavailableError } from '@slipway/service-kit';
import { openTestDatabase } from '@slipway/service-kit/testing';
import { PostgresServer } from '@slipway/test-postgres';
import {
  clientOf,
  KEY,
  startSpaceMetrics,
} from './__testUtils__/startSpaceMetrics.ts';
import { spaceMetrics } from './service.ts';

/** Wraps a database so that it can be made unavailable for a while. */
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

it('responds with 503 while its database is unavailable, and recovers', async () => {
  const { database: real, dispose } = await openTestDatabase(
    'sqlite',
    spaceMetrics,
  );
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

it('responds with 503 while PostgreSQL is down, and recovers', async () => {
  const postgres = await PostgresServer.start();
  const service = await startSpaceMetrics({
    config: {
      database: { client: 'pg', connection: postgres.connectionString },
      cacheSeconds: 0,
    },
  });
  const url = await service.start();
  const ask = async (path: string, body?: object) => {
    const response = await fetch(`${url}${path}`, {
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  const survey = (userId: string) =>
    ask('/api/v1/surveys/pulse/submit', {
      user_id: userId,
      responses: { overall_satisfaction: 4, productivity_this_week: 4 },
    });
  const surveys = async () => {
    const { body } = await ask('/api/v1/metrics/space');
    return body.metrics.satisfaction.response_count;
  };
  const unavailable = {
    status: 503,
    body: { error: { code: 'UNAVAILABLE' }, status: 503 },
  };
  expect((await survey('ada')).status).toBe(201);

  // Some requests are in progress when the database fails; each response must be correct.
  const underWay = Array.from({ length: 20 }, (_, number) =>
    survey(`user-${number}`),
  );
  let kept = 1;
  await postgres.restart(async () => {
    const outcomes = await Promise.all(underWay);
    expect(outcomes.filter(({ status }) => status !== 201)).toEqual(
      outcomes
        .filter(({ status }) => status !== 201)
        .map(() => expect.objectContaining({ status: 503 })),
    );
    kept += outcomes.filter(({ status }) => status === 201).length;
    expect(await Promise.all([survey('ada'), survey('grace')])).toMatchObject([
      unavailable,
      unavailable,
    ]);
    expect(await ask('/api/v1/metrics/space')).toMatchObject(unavailable);
    expect(await ask('/health')).toMatchObject({
      status: 503,
      body: { status: 'degraded', database: 'disconnected' },
    });
  });

  await vi.waitFor(async () => {
    expect(await ask('/health')).toMatchObject({
      status: 200,
      body: { status: 'healthy', database: 'connected' },
    });
  });
  expect((await survey('grace')).status).toBe(201);
  expect(await surveys()).toBe(kept + 1);
  await service.stop();
  await postgres.stop();
});
