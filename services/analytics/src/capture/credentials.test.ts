import type { Service } from '@slipway/service-kit';
import { event } from '../__testUtils__/analyticsSuite.ts';
import {
  API_TOKEN,
  clientOf,
  OTHER_KEY,
  PROJECT_KEY,
  startAnalytics,
} from '../__testUtils__/startAnalytics.ts';

describe('credentials and limits', () => {
  let service: Service;
  let client: ReturnType<typeof clientOf>;

  beforeEach(async () => {
    service = await startAnalytics({
      config: { capture: { eventsPerMinute: 10 } },
    });
    client = clientOf(service);
  });

  afterEach(() => service.stop());

  it('accepts the key in the body or in X-Api-Key', async () => {
    for (const url of ['/api/capture', '/api/batch', '/batch/', '/batch']) {
      const body = url.endsWith('capture') ? event : { batch: [event] };
      const header = { 'x-api-key': PROJECT_KEY };
      expect((await client.post(url, body, header)).status).toBe(200);
      const missing = await client.post(url, body);
      expect(missing).toMatchObject({
        status: 401,
        body: {
          type: 'authentication_error',
          code: 'not_authenticated',
          attr: 'api_key',
        },
      });
      const wrong = await client.post(url, { ...body, api_key: 'phc_wrong' });
      expect(wrong).toMatchObject({
        status: 401,
        body: { code: 'authentication_failed' },
      });
    }
    // A token can only query; a key can only send.
    expect((await client.capture(event, API_TOKEN)).status).toBe(401);
    expect((await client.query({}, PROJECT_KEY)).status).toBe(401);
  });

  it('rejects an invalid key in addition to a valid one', async () => {
    const wrong = { 'x-api-key': 'phc_wrong' };
    const body = { ...event, api_key: PROJECT_KEY };
    expect(await client.post('/api/capture', body, wrong)).toMatchObject({
      status: 401,
      body: { code: 'authentication_failed' },
    });
    const same = { 'x-api-key': PROJECT_KEY };
    expect((await client.post('/api/capture', body, same)).status).toBe(200);
    expect(await client.count()).toBe(1);
  });

  it.each(['[]', 'null', '"text"'])('refuses the body %s', async body => {
    for (const url of ['/api/capture', '/api/batch', '/batch/']) {
      expect(await client.post(url, body)).toMatchObject({
        status: 400,
        body: { type: 'validation_error' },
      });
    }
  });

  it('accepts a trailing slash', async () => {
    const body = { ...event, api_key: PROJECT_KEY };
    expect((await client.post('/api/capture/', body)).status).toBe(200);
    const answer = await client.post(
      '/api/projects/shop/query/',
      { query: { kind: 'EventsQuery', select: ['event'] } },
      { authorization: `Bearer ${API_TOKEN}` },
    );
    expect(answer.body.results).toEqual([['signed up']]);
  });

  it('checks the key before the event', async () => {
    const both = await client.post('/api/capture', { api_key: 'x', event: 1 });
    expect(both.status).toBe(401);
    const anonymous = await client.post('/api/query', {});
    expect(anonymous).toMatchObject({
      status: 401,
      body: { code: 'not_authenticated' },
    });
  });

  it('counts events and stores none beyond the limit', async () => {
    const many = (count: number) => Array.from({ length: count }, () => event);
    const first = await client.batch(many(8));
    expect(first.headers).toMatchObject({
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': '2',
    });
    const over = await client.batch(many(3));
    expect(over).toMatchObject({
      status: 429,
      body: {
        type: 'throttled_error',
        code: 'throttled',
        detail: expect.stringMatching(/Expected available in \d+ seconds/),
        attr: null,
      },
    });
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
    const never = await client.batch(many(11));
    expect(never).toMatchObject({
      status: 429,
      body: {
        type: 'throttled_error',
        detail: expect.stringMatching(/at most 10 events.*Split it/),
        attr: 'batch',
      },
    });
    // A batch that fits is still accepted: a refused one does not use up the limit.
    expect((await client.batch(many(2))).status).toBe(200);
    expect((await client.capture(event)).status).toBe(429);
    expect((await client.capture(event, OTHER_KEY)).status).toBe(200);
    expect(await client.count()).toBe(10);
  });

  it('returns the remaining limit with every response', async () => {
    const refused = await client.post('/api/capture', '{');
    expect(refused).toMatchObject({
      status: 400,
      body: {
        type: 'validation_error',
        code: 'parse_error',
        attr: null,
      },
    });
    for (const { headers } of [
      refused,
      await client.capture({}),
      await client.capture(event, 'phc_wrong'),
      await client.query({}),
    ]) {
      expect(headers).toMatchObject({
        'x-ratelimit-limit': expect.any(String),
        'x-ratelimit-remaining': expect.any(String),
        'x-ratelimit-reset': expect.any(String),
      });
    }
  });

  it.each([
    [{ distinct_id: 'ada' }, 'event', 'required'],
    [{ event: 'a' }, 'distinct_id', 'required'],
    [{ event: '', distinct_id: 'ada' }, 'event', 'invalid_input'],
    [{ event: 5, distinct_id: 'ada' }, 'event', 'invalid_input'],
    [{ ...event, properties: [] }, 'properties', 'invalid_input'],
    [{ ...event, timestamp: 'yesterday' }, 'timestamp', 'invalid_input'],
    [{ ...event, uuid: 'x' }, 'uuid', 'invalid_input'],
  ])('refuses %j for its %s', async (body, attr, code) => {
    const answer = await client.capture(body);
    expect(answer).toMatchObject({
      status: 400,
      body: { type: 'validation_error', code, attr },
    });
    const batch = await client.batch([event, body]);
    expect(batch).toMatchObject({ status: 400, body: { code } });
    expect(batch.body.attr).toBe(`batch.1.${attr}`);
    expect(await client.count()).toBe(0);
  });

  it('rejects other methods, paths and media types in its own error format', async () => {
    const wrongMethod = await service.app.inject('/api/capture');
    expect(wrongMethod.statusCode).toBe(405);
    expect(wrongMethod.headers.allow).toBe('POST');
    expect(wrongMethod.json()).toMatchObject({ code: 'method_not_allowed' });
    expect((await client.post('/api/nothing', {})).body).toMatchObject({
      type: 'invalid_request',
      code: 'not_found',
    });
    const text = await client.post('/api/capture', 'a=b', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(text.status).toBe(400);
    expect(
      (
        await client.post(
          '/api/batch',
          { batch: [] },
          { 'x-api-key': PROJECT_KEY },
        )
      ).status,
    ).toBe(400);
  });

  it('describes itself', async () => {
    const { paths } = (await service.app.inject('/openapi.json')).json();
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/api/capture', '/api/batch', '/api/query']),
    );
    expect((await service.app.inject('/health')).json()).toMatchObject({
      status: 'ok',
      engine: 'sqlite',
    });
    await client.capture(event);
    const metrics = (await service.app.inject('/metrics')).body;
    expect(metrics).toContain('analytics_events_total{outcome="kept"} 1');
  });
});
