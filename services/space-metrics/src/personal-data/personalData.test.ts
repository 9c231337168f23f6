import type { Database, Service } from '@slipway/service-kit';
import {
  FakePortal,
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import {
  clientOf,
  startSpaceMetrics,
} from '../__testUtils__/startSpaceMetrics.ts';
import { PersonHasher } from '../people/person.ts';
import { spaceMetrics } from '../service.ts';

const hasher = new PersonHasher({ key: 'test-hash-key' });
const NOW = Date.parse('2026-11-20T12:00:00Z');

describe.each(testDatabaseClients())('people on %s', databaseClient => {
  let service: Service;
  let database: Database;
  let portal: FakePortal;
  let client: ReturnType<typeof clientOf>;
  let dispose: () => Promise<void>;

  beforeEach(async () => {
    ({ database, dispose } = await openTestDatabase(
      databaseClient,
      spaceMetrics,
    ));
    portal = await FakePortal.start();
    service = await startSpaceMetrics({
      database,
      now: () => NOW,
      config: { portal: { baseUrl: portal.baseUrl } },
    });
    client = clientOf(service);
  });

  afterEach(async () => {
    await service.stop();
    await portal.stop();
    await dispose();
  });

  /** Requests the data stored about a person as a signed-in user. */
  async function read(id: string, as = 'user:default/ada') {
    const response = await service.app.inject({
      url: `/api/v1/people/${encodeURIComponent(id)}`,
      headers: { authorization: `Bearer ${await portal.token(as)}` },
    });
    return { status: response.statusCode, body: response.json() };
  }

  async function fill(userId: string) {
    await client.survey(userId, 5, { team: 'red', recommend: 3 });
    await client.send('POST', '/api/v1/friction-log/submit', {
      user_id: userId,
      team: 'red',
      category: 'Build',
      description: `${userId} waits`,
      severity: 'high',
      time_lost_minutes: 30,
    });
    await client.send('POST', '/api/v1/cognitive-load/submit', {
      user_id: userId,
      team: 'red',
      task: 'A task',
      scores: {
        mental_demand: 33.3,
        physical_demand: 0,
        temporal_demand: 1,
        performance: 2,
        effort: 3,
        frustration: 4,
      },
    });
    await client.events([
      { id: `${userId}-1`, kind: 'commit', user_id: userId, team: 'red' },
      { id: `${userId}-2`, kind: 'review', user_id: userId, team: 'red' },
    ]);
    await client.send('POST', '/api/v1/activity/chat', {
      counts: [{ id: userId, user_id: userId, team: 'red', messages: 5 }],
    });
  }

  const numbers = async () =>
    (await client.get('/api/v1/metrics/space?team=red')).body.metrics;

  it('are stored only as a keyed hash', async () => {
    await fill('user:default/ada');
    for (const table of ['people', 'pulse_surveys', 'activity_events']) {
      const rows = await database.knex(table);
      expect(rows).not.toHaveLength(0);
      expect(
        JSON.stringify(rows.map(({ event_id: _, ...row }) => row)),
      ).not.toMatch(/\bada\b/);
    }
  });

  it('get all data stored about them, for any spelling of their id', async () => {
    await fill('ada');
    const { status, body } = await read('User:default/Ada');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      surveys: [{ team: 'red', responses: { recommend: 3 } }],
      friction_logs: [{ category: 'build', description: 'ada waits' }],
      cognitive_loads: [{ scores: { mental_demand: 33.3 } }],
    });
    expect(body.activity).toHaveLength(3);
    expect(body.surveys[0].timestamp).toBe('2026-11-20T12:00:00.000Z');
  });

  it('leave nothing behind, and do not change the numbers of others', async () => {
    await fill('grace');
    const before = await numbers();
    const metricsBefore = (await service.app.inject('/metrics')).body;
    expect(metricsBefore).toContain(
      'space_metrics_activity_commits_total{team="red"} 1',
    );
    await fill('ada');
    expect(await numbers()).not.toEqual(before);

    const { status, body } = await client.send('DELETE', '/api/v1/people/ada');
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'erased',
      erased: { surveys: 1, friction_logs: 1, cognitive_loads: 1, activity: 3 },
    });
    expect(await numbers()).toEqual(before);
    expect((await read('ada')).status).toBe(404);
    expect((await client.send('DELETE', '/api/v1/people/ada')).body).toEqual({
      status: 'erased',
      erased: { surveys: 0, friction_logs: 0, cognitive_loads: 0, activity: 0 },
    });
    // Deleting data never decreases a counter.
    const { body: metrics } = await service.app.inject('/metrics');
    expect(metrics).toContain(
      'space_metrics_activity_commits_total{team="red"} 2',
    );
    expect(metrics).toContain(
      'space_metrics_communication_messages_total{team="red"} 10',
    );
  });

  it('see their own submissions, whatever sender those claimed', async () => {
    const submitted = await service.app.inject({
      method: 'POST',
      url: '/api/v1/surveys/pulse/submit',
      headers: {
        authorization: `Bearer ${await portal.token('user:default/ada')}`,
      },
      payload: {
        user_id: 'grace',
        responses: { overall_satisfaction: 4, productivity_this_week: 4 },
      },
    });
    expect(submitted.statusCode).toBe(201);
    expect((await read('ada')).body.surveys).toHaveLength(1);
  });

  it('cannot be read by others, signed in or with a key', async () => {
    await fill('ada');
    expect((await read('ada', 'user:default/grace')).status).toBe(403);
    expect((await client.get('/api/v1/people/ada')).status).toBe(403);
  });

  it('are deleted after the retention period', async () => {
    await client.survey('ada', 5, { timestamp: '2026-09-01T00:00:00Z' });
    await client.survey('grace', 1, { timestamp: '2026-11-01T00:00:00Z' });
    await client.survey('alan', 5, { timestamp: '2026-09-01T00:00:00Z' });
    await client.send('PUT', '/api/v1/surveys/pulse/reminder', {
      user_id: 'alan',
      opted_out: true,
    });
    const strict = await startSpaceMetrics({
      database,
      now: () => NOW,
      config: { privacy: { retentionDays: 40 } },
    });
    await strict.start();
    await vi.waitFor(async () => {
      const { body } = await clientOf(strict).get(
        '/api/v1/metrics/space/satisfaction?start_date=2026-08-01',
      );
      expect(body.data).toMatchObject({ response_count: 1, avg_rating: 1 });
    });
    // Nothing about Ada is left, not even that she was there; Alan's choice is kept.
    await vi.waitFor(async () => {
      expect(await database.knex('people').orderBy('id').pluck('hash')).toEqual(
        ['grace', 'alan'].map(id => hasher.hash(id)),
      );
    });
    await strict.stop();
  });
});
