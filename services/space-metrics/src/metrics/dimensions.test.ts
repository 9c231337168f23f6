import {
  metricsSuite,
  NOW,
  submissions,
} from '../__testUtils__/metricsSuite.ts';

const suite = metricsSuite();

describe('all dimensions', () => {
  it('have exactly the fields of the contract', async () => {
    const { status, body } = await suite.client.get('/api/v1/metrics/space');
    expect(status).toBe(200);
    expect(body).toEqual({
      period: { start: '2026-10-21', end: '2026-11-20' },
      metrics: {
        satisfaction: { enps_score: 0, avg_rating: 0, response_count: 0 },
        performance: {
          deployment_frequency: 0,
          lead_time_hours: 0,
          build_success_rate: 0,
        },
        activity: { commits_per_week: 0, prs_merged: 0, active_days: 0 },
        communication: { chat_messages: 0, pr_comments: 0, docs_updates: 0 },
        efficiency: {
          time_to_first_commit_hours: 0,
          time_to_production_hours: 0,
          cognitive_load_index: 0,
        },
      },
    });
  });

  it.each(['', '/satisfaction'])(
    'are sent as JSON, computed or cached (%s)',
    async dimension => {
      const ask = () =>
        suite.service.app.inject(`/api/v1/metrics/space${dimension}`);
      const [first, second] = [await ask(), await ask()];
      expect(first.headers['content-type']).toBe(
        'application/json; charset=utf-8',
      );
      expect(second.headers['content-type']).toBe(
        first.headers['content-type'],
      );
      expect(second.body).toBe(first.body);
    },
  );

  it('count what was submitted, by team', async () => {
    await suite.client.survey('ada', 5, { team: 'payments' });
    await suite.client.survey('grace', 4, { team: 'payments' });
    await suite.client.survey('alan', 1, { team: 'search' });
    await suite.client.send('POST', '/api/v1/cognitive-load/submit', {
      ...submissions['/api/v1/cognitive-load/submit'],
      team: 'payments',
    });
    const payments = await suite.client.get(
      '/api/v1/metrics/space?team=payments',
    );
    expect(payments.body.metrics).toMatchObject({
      satisfaction: { enps_score: 50, avg_rating: 4.5, response_count: 2 },
      efficiency: { cognitive_load_index: 50 },
    });
    const all = await suite.client.get('/api/v1/metrics/space');
    expect(all.body.metrics.satisfaction).toEqual({
      enps_score: 0,
      avg_rating: 3.33,
      response_count: 3,
    });
  });

  it('let the 0 to 10 question decide if it was answered', async () => {
    await suite.client.survey('ada', 1, { recommend: 9 });
    await suite.client.survey('grace', 5, { recommend: 6 });
    await suite.client.survey('alan', 5, { recommend: 7 });
    const { body } = await suite.client.get(
      '/api/v1/metrics/space/satisfaction',
    );
    expect(body.data).toMatchObject({
      enps_score: 0,
      nps_breakdown: { promoters: 1, passives: 1, detractors: 1 },
    });
  });
});

describe('one dimension', () => {
  it('is not declining because its period is not over', async () => {
    // Two per day, before and during a period of which half has passed.
    const days = Array.from({ length: 30 }, (_, day) => day);
    await suite.client.events(
      days.flatMap(day =>
        [1, 2].map(number => ({
          id: `${day}-${number}`,
          kind: 'pull_request_merged',
          user_id: 'ada',
          timestamp: new Date(NOW - day * 86_400_000).toISOString(),
        })),
      ),
    );
    const { body } = await suite.client.get(
      '/api/v1/metrics/space/activity?start_date=2026-11-11&end_date=2026-11-30',
    );
    expect(body.data).toMatchObject({
      prs_merged: 20,
      trend: 'stable',
      weeks: { current: 10 / 7, previous: 20 / 7 },
    });
  });

  it('reports its trend and history', async () => {
    await suite.client.survey('ada', 2, { timestamp: '2026-10-25T10:00:00Z' });
    await suite.client.survey('ada', 5, { timestamp: '2026-11-10T10:00:00Z' });
    const { status, body } = await suite.client.get(
      '/api/v1/metrics/space/satisfaction?team=all&start_date=2026-11-02&end_date=2026-11-16',
    );
    expect(status).toBe(200);
    expect(body).toEqual({
      dimension: 'satisfaction',
      team: 'all',
      period: { start: '2026-11-02', end: '2026-11-16' },
      data: {
        enps_score: 100,
        avg_rating: 5,
        avg_productivity: 3,
        response_count: 1,
        nps_breakdown: { promoters: 1, passives: 0, detractors: 0 },
        trend: 'improving',
        series: [
          {
            start: '2026-11-02',
            end: '2026-11-08',
            enps_score: 0,
            avg_rating: 0,
            avg_productivity: 0,
            response_count: 0,
            samples: { responses: 0, people: 0 },
          },
          {
            start: '2026-11-09',
            end: '2026-11-15',
            enps_score: 100,
            avg_rating: 5,
            avg_productivity: 3,
            response_count: 1,
            samples: { responses: 1, people: 1 },
          },
          {
            start: '2026-11-16',
            end: '2026-11-16',
            enps_score: 0,
            avg_rating: 0,
            avg_productivity: 0,
            response_count: 0,
            samples: { responses: 0, people: 0 },
          },
        ],
        samples: { responses: 1, people: 1 },
        suppressed: false,
        minimum_group_size: 1,
        weeks: { current: 15 / 7, previous: 15 / 7 },
      },
    });
  });

  it.each([
    ['daily', 31],
    ['weekly', 5],
    ['monthly', 2],
  ])('is divided %s', async (granularity, parts) => {
    const { body } = await suite.client.get(
      `/api/v1/metrics/space/activity?granularity=${granularity}`,
    );
    expect(body.data.series).toHaveLength(parts);
    expect(body.data.series.at(0).start).toBe('2026-10-21');
    expect(body.data.series.at(-1).end).toBe('2026-11-20');
  });

  it.each(['performance', 'activity', 'communication', 'efficiency'])(
    '%s is there',
    async dimension => {
      const { status, body } = await suite.client.get(
        `/api/v1/metrics/space/${dimension}?team=Payments`,
      );
      expect(status).toBe(200);
      expect(body).toMatchObject({
        dimension,
        team: 'Payments',
        data: { trend: 'stable' },
      });
    },
  );

  it('is 404 if it is unknown', async () => {
    const { status, body } = await suite.client.get(
      '/api/v1/metrics/space/luck',
    );
    expect(status).toBe(404);
    expect(body.error.code).toBe('NOT_FOUND');
  });

  it.each([
    ['start_date=2026-11-02&end_date=2026-11-01', 'start_date'],
    [
      'start_date=2026-11-02T10:00:00Z&end_date=2026-11-02T09:00:00Z',
      'start_date',
    ],
    ['start_date=soon', 'start_date'],
    ['end_date=2026-02-30', 'end_date'],
    ['granularity=hourly', 'granularity'],
    ['granularity=daily&start_date=2000-01-01', 'granularity'],
  ])('refuses %s', async (query, field) => {
    const { status, body } = await suite.client.get(
      `/api/v1/metrics/space/activity?${query}`,
    );
    expect(status).toBe(400);
    expect(body.error.details.field).toBe(field);
  });
});
