import {
  metricsSuite,
  paths,
  submissions,
  TIMESTAMP,
} from './__testUtils__/metricsSuite.ts';
import { KEY } from './__testUtils__/startSpaceMetrics.ts';

const suite = metricsSuite();

describe('submissions', () => {
  it('return an id that sorts by creation', async () => {
    const [survey, friction, load] = await Promise.all(
      paths.map(path => suite.client.send('POST', path, submissions[path])),
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

  it.each(paths)('of %s require a valid key', async path => {
    for (const headers of [{}, { 'x-api-key': 'wrong' }]) {
      const response = await suite.service.app.inject({
        method: 'POST',
        url: path,
        headers,
        // Callers without permission must not learn what is wrong with the body.
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
      const answer = await suite.client.send('POST', path, {
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
    const answer = await suite.client.send('POST', path, {
      ...submissions[path],
      responses: { ...responses, overall_satisfaction: 6 },
    });
    expect(answer.body.error.details).toEqual({
      field: 'responses.overall_satisfaction',
      constraint: 'maximum',
    });
  });

  it('treat null in an optional field as missing', async () => {
    for (const path of paths) {
      const answer = await suite.client.send('POST', path, {
        ...submissions[path],
        timestamp: null,
        team: null,
      });
      expect(answer.status).toBe(201);
    }
    const path = '/api/v1/surveys/pulse/submit';
    const { responses } = submissions[path];
    const unsaid = { blockers: null, wins: null, recommend: null };
    const answer = await suite.client.send('POST', path, {
      ...submissions[path],
      responses: { ...responses, ...unsaid },
    });
    expect(answer.status).toBe(201);
  });

  it('report that a text is blank', async () => {
    const path = '/api/v1/surveys/pulse/submit';
    const answer = await suite.client.send('POST', path, {
      ...submissions[path],
      user_id: '  ',
    });
    expect(answer.body.error.message).toBe('user_id must not be blank');
  });

  it('ignore unknown fields', async () => {
    const path = '/api/v1/surveys/pulse/submit';
    const answer = await suite.client.send('POST', path, {
      ...submissions[path],
      mood: 'fine',
    });
    expect(answer.status).toBe(201);
  });

  it('reject invalid JSON and large bodies', async () => {
    const post = (payload: string, type = 'application/json') =>
      suite.service.app.inject({
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
