import type { Service } from '@slipway/service-kit';
import {
  clientOf,
  KEY,
  startSpaceMetrics,
} from './__testUtils__/startSpaceMetrics.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

let service: Service;
let client: ReturnType<typeof clientOf>;

beforeEach(async () => {
  service = await startSpaceMetrics({ now: () => NOW });
  client = clientOf(service);
});

afterEach(() => service.stop());

const submissions = {
  '/api/v1/surveys/pulse/submit': {
    user_id: 'ada',
    timestamp: '2026-11-20T10:00:00Z',
    responses: {
      overall_satisfaction: 4,
      productivity_this_week: 3,
      blockers: 'slow builds',
      wins: 'shipped',
    },
  },
  '/api/v1/friction-log/submit': {
    user_id: 'ada',
    timestamp: '2026-11-20T10:00:00Z',
    category: 'build',
    description: 'The build takes an hour',
    severity: 'high',
    time_lost_minutes: 45,
  },
  '/api/v1/cognitive-load/submit': {
    user_id: 'ada',
    task: 'Debug the login',
    timestamp: '2026-11-20T10:00:00Z',
    scores: {
      mental_demand: 80,
      physical_demand: 10,
      temporal_demand: 60,
      performance: 30,
      effort: 70,
      frustration: 50,
    },
  },
} as const;
const paths = Object.keys(submissions) as (keyof typeof submissions)[];

describe('submissions', () => {
  it('answer with an id that sorts by creation', async () => {
    const [survey, friction, load] = await Promise.all(
      paths.map(path => client.send('POST', path, submissions[path])),
    );
    expect(survey).toEqual({
      status: 201,
      body: {
        status: 'success',
        survey_id: expect.stringMatching(/^survey_[0-9a-f-]{36}$/),
        message: expect.any(String),
      },
    });
    expect(friction).toMatchObject({
      status: 201,
      body: { friction_id: expect.stringMatching(/^friction_/) },
    });
    expect(load).toMatchObject({
      status: 201,
      body: {
        assessment_id: expect.stringMatching(/^tlx_/),
        cognitive_load_index: 50,
      },
    });
  });

  it.each(paths)('of %s need a key that is known', async path => {
    for (const headers of [{}, { 'x-api-key': 'wrong' }]) {
      const response = await service.app.inject({
        method: 'POST',
        url: path,
        headers,
        // Who may not, is not told what is wrong with the body either.
        payload: {},
      });
      expect(response.statusCode).toBe(401);
      expect(response.json()).toEqual({
        error: { code: 'UNAUTHENTICATED', message: expect.any(String) },
        status: 401,
        timestamp: expect.stringMatching(TIMESTAMP),
      });
    }
  });

  it.each([
    ['/api/v1/surveys/pulse/submit', 'user_id', undefined, 'required'],
    ['/api/v1/surveys/pulse/submit', 'responses', undefined, 'required'],
    ['/api/v1/surveys/pulse/submit', 'user_id', '', 'minLength'],
    ['/api/v1/surveys/pulse/submit', 'timestamp', 'yesterday', 'format'],
    ['/api/v1/surveys/pulse/submit', 'timestamp', '2027-01-01', 'maximum'],
    ['/api/v1/friction-log/submit', 'severity', 'awful', 'enum'],
    ['/api/v1/friction-log/submit', 'description', ' \n', 'pattern'],
    ['/api/v1/friction-log/submit', 'category', 'x'.repeat(65), 'maxLength'],
    ['/api/v1/friction-log/submit', 'time_lost_minutes', -1, 'minimum'],
    ['/api/v1/friction-log/submit', 'time_lost_minutes', '5', 'type'],
    ['/api/v1/cognitive-load/submit', 'task', undefined, 'required'],
    ['/api/v1/cognitive-load/submit', 'task', ' ', 'pattern'],
  ] as const)(
    '%s refuses %s %j: %s',
    async (path, field, value, constraint) => {
      const answer = await client.send('POST', path, {
        ...submissions[path],
        [field]: value,
      });
      expect(answer).toEqual({
        status: 400,
        body: {
          error: {
            code: 'INVALID_REQUEST',
            message: expect.stringContaining(field),
            details: { field, constraint },
          },
          status: 400,
          timestamp: expect.stringMatching(TIMESTAMP),
        },
      });
    },
  );

  it('name the field within an object', async () => {
    const path = '/api/v1/surveys/pulse/submit';
    const { responses } = submissions[path];
    const answer = await client.send('POST', path, {
      ...submissions[path],
      responses: { ...responses, overall_satisfaction: 6 },
    });
    expect(answer.body.error.details).toEqual({
      field: 'responses.overall_satisfaction',
      constraint: 'maximum',
    });
  });

  it('take null on an optional field for nothing', async () => {
    for (const path of paths) {
      const answer = await client.send('POST', path, {
        ...submissions[path],
        timestamp: null,
        team: null,
      });
      expect(answer.status).toBe(201);
    }
    const path = '/api/v1/surveys/pulse/submit';
    const { responses } = submissions[path];
    const unsaid = { blockers: null, wins: null, recommend: null };
    const answer = await client.send('POST', path, {
      ...submissions[path],
      responses: { ...responses, ...unsaid },
    });
    expect(answer.status).toBe(201);
  });

  it('say in words that a text is blank', async () => {
    const path = '/api/v1/surveys/pulse/submit';
    const answer = await client.send('POST', path, {
      ...submissions[path],
      user_id: '  ',
    });
    expect(answer.body.error.message).toBe('user_id must not be blank');
  });

  it('ignore fields that nobody knows', async () => {
    const path = '/api/v1/surveys/pulse/submit';
    const answer = await client.send('POST', path, {
      ...submissions[path],
      mood: 'fine',
    });
    expect(answer.status).toBe(201);
  });

  it('refuse what is no JSON, and what is too much of it', async () => {
    const post = (payload: string, type = 'application/json') =>
      service.app.inject({
        method: 'POST',
        url: '/api/v1/friction-log/submit',
        headers: { 'x-api-key': KEY, 'content-type': type },
        payload,
      });
    expect((await post('{')).statusCode).toBe(400);
    expect((await post('user_id=ada', 'text/plain')).statusCode).toBe(400);
    expect((await post('x'.repeat(1_100_000))).statusCode).toBe(413);
  });
});

describe('the form', () => {
  it('says what each scale means', async () => {
    const { status, body } = await client.get(
      '/api/v1/cognitive-load/assessment',
    );
    expect(status).toBe(200);
    expect(body.scale).toEqual({ min: 0, max: 100, step: 5 });
    expect(body.dimensions).toHaveLength(6);
    expect(body.dimensions[3]).toMatchObject({
      id: 'performance',
      low_label: 'Perfect',
      high_label: 'Failure',
    });
  });
});

describe('all dimensions', () => {
  it('have the fields of the contract and no other', async () => {
    const { status, body } = await client.get('/api/v1/metrics/space');
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
    'say that they are JSON, worked out or remembered (%s)',
    async dimension => {
      const ask = () => service.app.inject(`/api/v1/metrics/space${dimension}`);
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
    await client.survey('ada', 5, { team: 'payments' });
    await client.survey('grace', 4, { team: 'payments' });
    await client.survey('alan', 1, { team: 'search' });
    await client.send('POST', '/api/v1/cognitive-load/submit', {
      ...submissions['/api/v1/cognitive-load/submit'],
      team: 'payments',
    });
    const payments = await client.get('/api/v1/metrics/space?team=payments');
    expect(payments.body.metrics).toMatchObject({
      satisfaction: { enps_score: 50, avg_rating: 4.5, response_count: 2 },
      efficiency: { cognitive_load_index: 50 },
    });
    const all = await client.get('/api/v1/metrics/space');
    expect(all.body.metrics.satisfaction).toEqual({
      enps_score: 0,
      avg_rating: 3.33,
      response_count: 3,
    });
  });

  it('let the 0 to 10 question decide where it was answered', async () => {
    await client.survey('ada', 1, { recommend: 9 });
    await client.survey('grace', 5, { recommend: 6 });
    await client.survey('alan', 5, { recommend: 7 });
    const { body } = await client.get('/api/v1/metrics/space/satisfaction');
    expect(body.data).toMatchObject({
      enps_score: 0,
      nps_breakdown: { promoters: 1, passives: 1, detractors: 1 },
    });
  });
});

describe('one dimension', () => {
  it('says where it goes and how it came there', async () => {
    await client.survey('ada', 2, { timestamp: '2026-10-25T10:00:00Z' });
    await client.survey('ada', 5, { timestamp: '2026-11-10T10:00:00Z' });
    const { status, body } = await client.get(
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
        response_count: 1,
        nps_breakdown: { promoters: 1, passives: 0, detractors: 0 },
        trend: 'improving',
        series: [
          {
            start: '2026-11-02',
            end: '2026-11-08',
            enps_score: 0,
            avg_rating: 0,
            response_count: 0,
            samples: { responses: 0, people: 0 },
          },
          {
            start: '2026-11-09',
            end: '2026-11-15',
            enps_score: 100,
            avg_rating: 5,
            response_count: 1,
            samples: { responses: 1, people: 1 },
          },
          {
            start: '2026-11-16',
            end: '2026-11-16',
            enps_score: 0,
            avg_rating: 0,
            response_count: 0,
            samples: { responses: 0, people: 0 },
          },
        ],
        samples: { responses: 1, people: 1 },
        suppressed: false,
        minimum_group_size: 1,
      },
    });
  });

  it.each([
    ['daily', 31],
    ['weekly', 5],
    ['monthly', 2],
  ])('is cut %s', async (granularity, parts) => {
    const { body } = await client.get(
      `/api/v1/metrics/space/activity?granularity=${granularity}`,
    );
    expect(body.data.series).toHaveLength(parts);
    expect(body.data.series.at(0).start).toBe('2026-10-21');
    expect(body.data.series.at(-1).end).toBe('2026-11-20');
  });

  it.each(['performance', 'activity', 'communication', 'efficiency'])(
    '%s is there',
    async dimension => {
      const { status, body } = await client.get(
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

  it('is 404 when nobody knows it', async () => {
    const { status, body } = await client.get('/api/v1/metrics/space/luck');
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
    const { status, body } = await client.get(
      `/api/v1/metrics/space/activity?${query}`,
    );
    expect(status).toBe(400);
    expect(body.error.details.field).toBe(field);
  });
});

describe('the interface', () => {
  it('tells its health', async () => {
    const { status, body } = await client.get('/health');
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'healthy',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      database: 'connected',
      timestamp: '2026-11-20T12:00:00.000Z',
    });
  });

  it('says what other methods a path has', async () => {
    const response = await service.app.inject({
      method: 'GET',
      url: '/api/v1/surveys/pulse/submit',
    });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toContain('POST');
    expect((await client.get('/api/v2/metrics')).status).toBe(404);
  });

  it('describes every route', async () => {
    const { body } = await client.get('/openapi.json');
    expect(body.openapi).toMatch(/^3\.1/);
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining([
        ...paths,
        '/api/v1/metrics/space',
        '/api/v1/metrics/space/{dimension}',
        '/api/v1/cognitive-load/assessment',
        '/api/v1/activity/events',
        '/api/v1/people/{id}',
      ]),
    );
    const delivery = body.paths['/api/v1/webhooks/{forge}'].post;
    expect(Object.keys(delivery.responses).map(Number)).toEqual([
      200, 400, 401, 404, 413, 500, 503,
    ]);
  });

  it('refuses a wrong key even where none is needed', async () => {
    const response = await service.app.inject({
      url: '/api/v1/metrics/space',
      headers: { 'x-api-key': 'wrong' },
    });
    expect(response.statusCode).toBe(401);
  });

  it('lets a hundred requests of a key through in a minute, and others be', async () => {
    const limited = await startSpaceMetrics({
      now: () => NOW,
      config: {
        rateLimit: {},
        auth: {
          apiKeys: [
            { name: 'one', key: KEY },
            { name: 'two', key: 'another-key' },
          ],
        },
      },
    });
    const ask = (key: string) =>
      limited.app.inject({
        url: '/api/v1/cognitive-load/assessment',
        headers: { 'x-api-key': key },
      });
    for (let request = 1; request <= 100; request += 1) {
      const { statusCode, headers } = await ask(KEY);
      expect(statusCode).toBe(200);
      expect(headers['x-ratelimit-remaining']).toBe(String(100 - request));
    }
    const refused = await ask(KEY);
    expect(refused.statusCode).toBe(429);
    expect(refused.json().error.code).toBe('RATE_LIMITED');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await ask('another-key')).statusCode).toBe(200);
    await limited.stop();
  });

  it('needs a key to read where configured', async () => {
    const closed = await startSpaceMetrics({
      config: {
        auth: { reads: 'required', apiKeys: [{ name: 'one', key: KEY }] },
      },
    });
    const url = '/api/v1/metrics/space';
    expect((await closed.app.inject({ url })).statusCode).toBe(401);
    expect((await clientOf(closed).get(url)).status).toBe(200);
    await closed.stop();
  });
});
