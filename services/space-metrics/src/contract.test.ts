import { metricsSuite, NOW, paths } from './__testUtils__/metricsSuite.ts';
import {
  clientOf,
  KEY,
  startSpaceMetrics,
} from './__testUtils__/startSpaceMetrics.ts';

const suite = metricsSuite();

describe('the interface', () => {
  it('reports its health', async () => {
    const { status, body } = await suite.client.get('/health');
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'healthy',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      database: 'connected',
      timestamp: '2026-11-20T12:00:00.000Z',
    });
  });

  it('lists the allowed methods of a path', async () => {
    const response = await suite.service.app.inject({
      method: 'GET',
      url: '/api/v1/surveys/pulse/submit',
    });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toContain('POST');
    expect((await suite.client.get('/api/v2/metrics')).status).toBe(404);
  });

  it('describes every route', async () => {
    const { body } = await suite.client.get('/openapi.json');
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
      200, 400, 401, 404, 413, 429, 500, 503,
    ]);
  });

  it('rejects an invalid key even if none is required', async () => {
    const response = await suite.service.app.inject({
      url: '/api/v1/metrics/space',
      headers: { 'x-api-key': 'wrong' },
    });
    expect(response.statusCode).toBe(401);
  });

  it('allows a hundred requests per minute and key, without affecting others', async () => {
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

  it('requires a key for reading if configured', async () => {
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
