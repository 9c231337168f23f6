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

const NOW = Date.parse('2026-11-20T12:00:00Z');

describe.each(testDatabaseClients())('people on %s', databaseClient => {
  let service: Service;
  let database: Database;
  let client: ReturnType<typeof clientOf>;
  let dispose: () => Promise<void>;

  beforeEach(async () => {
    ({ database, dispose } = await openTestDatabase(databaseClient));
    service = await startSpaceMetrics({ database, now: () => NOW });
    client = clientOf(service);
  });

  afterEach(async () => {
    await service.stop();
    await dispose();
  });

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

  it('are known by a keyed hash alone', async () => {
    await fill('user:default/ada');
    for (const table of ['people', 'pulse_surveys', 'activity_events']) {
      const rows = await database.knex(table);
      expect(rows).not.toHaveLength(0);
      expect(
        JSON.stringify(rows.map(({ event_id: _, ...row }) => row)),
      ).not.toMatch(/ada/);
    }
  });

  it('get all that is stored of them, by any spelling of their name', async () => {
    await fill('ada');
    const { status, body } = await client.get(
      `/api/v1/people/${encodeURIComponent('User:default/Ada')}`,
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      surveys: [{ team: 'red', responses: { recommend: 3 } }],
      friction_logs: [{ category: 'build', description: 'ada waits' }],
      cognitive_loads: [{ scores: { mental_demand: 33.3 } }],
    });
    expect(body.activity).toHaveLength(3);
    expect(body.surveys[0].timestamp).toBe('2026-11-20T12:00:00.000Z');
  });

  it('leave nothing behind, and the numbers of others as they were', async () => {
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
    expect((await client.get('/api/v1/people/ada')).status).toBe(404);
    expect((await client.send('DELETE', '/api/v1/people/ada')).body).toEqual({
      status: 'erased',
      erased: { surveys: 0, friction_logs: 0, cognitive_loads: 0, activity: 0 },
    });
    // What was counted once is never taken from a counter.
    const { body: metrics } = await service.app.inject('/metrics');
    expect(metrics).toContain(
      'space_metrics_activity_commits_total{team="red"} 2',
    );
    expect(metrics).toContain(
      'space_metrics_communication_messages_total{team="red"} 10',
    );
  });

  it('see and erase what is theirs, with a session of the portal', async () => {
    const portal = await FakePortal.start();
    const own = await startSpaceMetrics({
      config: { portal: { baseUrl: portal.baseUrl } },
    });
    const authorization = `Bearer ${await portal.token('user:default/ada')}`;
    const submitted = await own.app.inject({
      method: 'POST',
      url: '/api/v1/surveys/pulse/submit',
      headers: { authorization },
      payload: {
        // Whatever it says, it is of who is signed in.
        user_id: 'grace',
        responses: { overall_satisfaction: 4, productivity_this_week: 4 },
      },
    });
    expect(submitted.statusCode).toBe(201);
    const ask = (id: string) =>
      own.app.inject({
        url: `/api/v1/people/${id}`,
        headers: { authorization },
      });
    expect((await ask('ada')).json().surveys).toHaveLength(1);
    expect((await ask('grace')).statusCode).toBe(403);
    await own.stop();
    await portal.stop();
  });

  it('are forgotten after the retention', async () => {
    await client.survey('ada', 5, { timestamp: '2026-09-01T00:00:00Z' });
    await client.survey('grace', 1, { timestamp: '2026-11-01T00:00:00Z' });
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
    await strict.stop();
  });
});
