import type { Service } from '@slipway/service-kit';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import {
  clientOf,
  startSpaceMetrics,
} from '../__testUtils__/startSpaceMetrics.ts';
import { spaceMetrics } from '../service.ts';

const SCORES = {
  mental_demand: 60,
  physical_demand: 0,
  temporal_demand: 60,
  performance: 30,
  effort: 60,
  frustration: 30,
};
const AT = '2026-11-10T12:00:00Z';

const survey = (user: string, rating = 4) => ({
  user_id: user,
  team: 'demo/red',
  timestamp: AT,
  responses: { overall_satisfaction: rating, productivity_this_week: 3 },
});
const friction = (user: string) => ({
  user_id: user,
  team: 'demo/red',
  timestamp: AT,
  category: 'build',
  description: 'It waits',
  severity: 'high',
  time_lost_minutes: 30,
});
const load = (user: string) => ({
  user_id: user,
  team: 'demo/red',
  timestamp: AT,
  task: 'Release',
  scores: SCORES,
});

let service: Service;
let client: ReturnType<typeof clientOf>;

beforeEach(async () => {
  service = await startSpaceMetrics({
    now: () => Date.parse('2026-11-20T12:00:00Z'),
  });
  client = clientOf(service);
});

afterEach(() => service.stop());

async function satisfaction() {
  const { body } = await client.get(
    '/api/v1/metrics/space/satisfaction?team=demo/red',
  );
  return body.data;
}

it('imports the answers of several people, and erases several people', async () => {
  const teams = () => client.get('/api/v1/teams');
  const before = await teams();
  const empty = await satisfaction();
  const imported = await client.send('POST', '/api/v1/imports', {
    surveys: [survey('user:demo/mira'), survey('user:demo/felix', 2)],
    friction_logs: [friction('user:demo/mira')],
    cognitive_loads: [load('user:demo/felix')],
  });
  expect(imported).toEqual({
    status: 201,
    body: {
      status: 'success',
      surveys: 2,
      friction_logs: 1,
      cognitive_loads: 1,
    },
  });
  expect(await satisfaction()).not.toEqual(empty);

  const erased = await client.send('POST', '/api/v1/people/erasures', {
    user_ids: ['user:demo/mira', 'user:demo/felix', 'user:demo/nobody'],
  });
  expect(erased.body.erased).toEqual({
    surveys: 2,
    friction_logs: 1,
    cognitive_loads: 1,
    activity: 0,
  });
  expect(await satisfaction()).toEqual(empty);
  expect(await teams()).toEqual(before);
});

it('counts the last answer of a cycle, in whatever order answers are imported', async () => {
  const at = (day: number, rating: number) => ({
    ...survey('user:demo/mira', rating),
    timestamp: `2026-11-${day}T12:00:00Z`,
  });
  const answers = [at(12, 2), at(13, 5), at(11, 1)];
  for (const surveys of [answers, [at(12, 3)]]) {
    await client.send('POST', '/api/v1/imports', { surveys });
    expect(await satisfaction()).toMatchObject({
      response_count: 1,
      avg_rating: 5,
      samples: { people: 1 },
    });
  }
  // A correction has the same time.
  await client.send('POST', '/api/v1/imports', { surveys: [at(13, 4)] });
  expect(await satisfaction()).toMatchObject({
    response_count: 1,
    avg_rating: 4,
  });
});

it('stores nothing of a batch with an invalid answer', async () => {
  const empty = await satisfaction();
  const refused = await client.send('POST', '/api/v1/imports', {
    surveys: [
      survey('user:demo/mira'),
      { ...survey('user:demo/felix'), timestamp: '2100-01-01' },
    ],
  });
  expect(refused.status).toBe(400);
  const invalid = await client.send('POST', '/api/v1/imports', {
    surveys: [survey('user:demo/mira', 9)],
  });
  expect(invalid.status).toBe(400);
  expect(JSON.stringify(invalid.body)).toContain(
    'surveys.0.responses.overall_satisfaction',
  );
  expect(await satisfaction()).toEqual(empty);
});

it.each(testDatabaseClients())(
  'stores nothing of a batch that cannot be written, so that it can be repeated (%s)',
  async databaseClient => {
    const opened = await openTestDatabase(databaseClient, spaceMetrics);
    const { database } = opened;
    const own = await startSpaceMetrics({ database });
    const { send } = clientOf(own);
    const batch = {
      surveys: [survey('user:demo/mira')],
      friction_logs: [friction('user:demo/mira')],
      cognitive_loads: [load('user:demo/mira')],
    };
    await database.knex.schema.renameTable('cognitive_loads', 'away');
    expect((await send('POST', '/api/v1/imports', batch)).status).toBe(500);
    await database.knex.schema.renameTable('away', 'cognitive_loads');
    expect((await send('POST', '/api/v1/imports', batch)).status).toBe(201);
    for (const table of ['pulse_surveys', 'friction_logs', 'cognitive_loads']) {
      expect(await database.knex(table).select('id')).toHaveLength(1);
    }
    await own.stop();
    await opened.dispose();
  },
);

it('imports as many answers as a batch may have', async () => {
  const people = Array.from(
    { length: 1_000 },
    (_, index) => `user:demo/${index}`,
  );
  const { status } = await client.send('POST', '/api/v1/imports', {
    surveys: people.map(each => survey(each)),
    friction_logs: people.map(friction),
    cognitive_loads: people.map(load),
  });
  expect(status).toBe(201);
});

it.each(['/api/v1/imports', '/api/v1/people/erasures'])(
  'accepts %s only from holders of a key',
  async url => {
    const answer = await service.app.inject({
      method: 'POST',
      url,
      payload: {},
    });
    expect(answer.statusCode).toBe(401);
  },
);

it.each([
  ['a scale that does not exist', { physical_effort: 10 }],
  ['a column of the table', { person: 99, team: 'demo/blue' }],
])('ignores %s among the scores', async (_name, extra) => {
  const { status } = await client.send('POST', '/api/v1/imports', {
    cognitive_loads: [
      { ...load('user:demo/felix'), scores: { ...SCORES, ...extra } },
    ],
  });
  expect(status).toBe(201);
  const { body } = await client.send('POST', '/api/v1/people/erasures', {
    user_ids: ['user:demo/felix'],
  });
  expect(body.erased.cognitive_loads).toBe(1);
});
