import { testDatabaseClients } from '@slipway/service-kit/testing';
import { errorAnswer, feedbackSuite } from './__testUtils__/feedbackSuite.ts';
import { submission } from './__testUtils__/startFeedback.ts';

describe.each(testDatabaseClients())('the interface on %s', databaseClient => {
  const suite = feedbackSuite(databaseClient);

  it('is healthy', async () => {
    expect(await suite.clients.nobody.get('/health')).toMatchObject({
      status: 200,
      body: { status: 'ok', database: 'connected' },
    });
  });

  it('rejects invalid JSON, large bodies, unknown paths and wrong methods', async () => {
    const post = (payload: string, type: string) =>
      suite.service.app.inject({
        method: 'POST',
        url: '/api/v1/feedback',
        headers: { 'content-type': type },
        payload,
      });
    expect((await post('{', 'application/json')).statusCode).toBe(400);
    expect((await post('rating=4', 'text/plain')).statusCode).toBe(400);
    const tooMuch = JSON.stringify({
      screenshot: 'A'.repeat(11 * 1024 * 1024),
    });
    expect((await post(tooMuch, 'application/json')).statusCode).toBe(413);
    const tooLong = {
      ...submission,
      message: 'x'.repeat(1024 * 1024),
      screenshot: null,
    };
    expect(await suite.clients.nobody.submit(tooLong)).toMatchObject(
      errorAnswer(413, 'PAYLOAD_TOO_LARGE'),
    );
    expect(await suite.clients.nobody.get('/api/v2')).toMatchObject(
      errorAnswer(404, 'NOT_FOUND'),
    );
    const noId = `/api/v1/feedback/${'x'.repeat(200)}`;
    expect(await suite.clients.nobody.get(noId)).toMatchObject(
      errorAnswer(404, 'NOT_FOUND'),
    );
    const wrong = await suite.clients.nobody.call('DELETE', '/api/v1/feedback');
    expect(wrong.status).toBe(405);
    expect(wrong.headers.allow).toContain('POST');
  });

  it('exposes metrics', async () => {
    await suite.clients.nobody.submit();
    await suite.clients.nobody.get('/metrics');
    await vi.waitFor(async () => {
      const { body } = await suite.clients.nobody.get('/metrics');
      expect(body).toMatch(/feedback_submissions_total\{source="api"\} [1-9]/);
      expect(body).toContain('feedback_by_rating{rating="4"}');
      expect(body).toContain('feedback_by_category{category="UI/UX"}');
      expect(body).toContain('feedback_processing_duration_seconds_bucket');
    });
  });

  it('describes itself', async () => {
    const { body } = await suite.clients.nobody.get('/openapi.json');
    expect(body.openapi).toBe('3.1.0');
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining([
        '/api/v1/feedback',
        '/api/v1/feedback/{id}',
        '/api/v1/feedback/{id}/status',
        '/api/v1/feedback/stats',
        '/api/v1/automation/process-validated',
      ]),
    );
  });
});
