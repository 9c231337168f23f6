import {
  shopConfig,
  shopKey,
  shopService,
} from '../__fixtures__/shopService.ts';
import { groupCErrors, type Service } from '../index.ts';
import { startTestService } from '../testing/index.ts';

let service: Service;

beforeAll(async () => {
  service = await startTestService(shopService(), {
    config: shopConfig,
    now: () => Date.UTC(2026, 10, 21),
  });
});

afterAll(() => service.stop());

const order = (payload: unknown, headers: Record<string, string> = {}) =>
  service.app.inject({
    method: 'POST',
    url: '/api/orders',
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    headers: { 'content-type': 'application/json', ...shopKey, ...headers },
  });

describe('the error format of B1 and B2', () => {
  it('names the field and the constraint', async () => {
    const response = await order({});
    expect(response.statusCode).toBe(400);
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    expect(response.json()).toEqual({
      error: {
        code: 'INVALID_REQUEST',
        message: 'rating is required',
        details: { field: 'rating', constraint: 'required' },
      },
      status: 400,
      timestamp: '2026-11-21T00:00:00.000Z',
    });
  });

  it.each([
    [{ rating: '5' }, 'rating', 'type'],
    [{ rating: 4.5 }, 'rating', 'type'],
    [{ rating: 0 }, 'rating', 'minimum'],
    [{ rating: 6 }, 'rating', 'maximum'],
    [{ rating: 1, kind: 'huge' }, 'kind', 'enum'],
    [{ rating: 1, kind: 4 }, 'kind', 'enum'],
    [{ rating: 1, note: 'x'.repeat(11) }, 'note', 'maxLength'],
    [{ rating: 1, at: 'yesterday' }, 'at', 'format'],
    [{ rating: 1, at: '2016-12-31T23:59:60Z' }, 'at', 'format'],
    [{ rating: 1, at: '2026-11-21T10:00:00+05' }, 'at', 'format'],
    [{ rating: 1, scores: { effort: 101 } }, 'scores.effort', 'maximum'],
    [{ rating: 1, scores: {} }, 'scores.effort', 'required'],
    [[], 'body', 'type'],
    ['null', 'body', 'type'],
    ['"text"', 'body', 'type'],
    ['1', 'body', 'type'],
    ['{', 'body', 'format'],
    ['', 'body', 'required'],
    ['{"__proto__": {"rating": 1}}', 'rating', 'required'],
    [{ rating: 1, note: 'a\0b' }, 'note', 'format'],
    [{ rating: 1, extra: { list: ['\ud800'] } }, 'extra.list.0', 'format'],
    [{ rating: 1, extra: { 'a\0': 1 } }, 'extra', 'format'],
    [
      `{"rating": 1, "extra": ${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
      'extra',
      'depth',
    ],
  ])('refuses %j: %s, %s', async (payload, field, constraint) => {
    const response = await order(payload);
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toMatchObject({
      code: 'INVALID_REQUEST',
      details: { field, constraint },
    });
  });

  it.each([
    { rating: 3, unheard: 'of' },
    '{"rating": 3, "__proto__": {"rating": 9}}',
    '{"rating": 3, "constructor": {"prototype": {"rating": 9}}}',
  ])('ignores unknown fields: %j', async payload => {
    const response = await order(payload);
    expect(response.statusCode).toBe(201);
    expect(response.json()).toEqual({ rating: 3 });
  });

  it('treats null in an optional field as missing', async () => {
    const nulls = { note: null, at: null, scores: null, kind: null, by: null };
    const response = await order({ rating: 3, ...nulls });
    expect(response.statusCode).toBe(201);
    const required = await order({ rating: null });
    expect(required.json().error.details).toEqual({
      field: 'rating',
      constraint: 'type',
    });
  });

  it.each([
    [{ rating: 1, code: 'A B' }, 'code must have letters and digits alone'],
    [{ rating: 1, plain: ' ' }, 'plain has an invalid format'],
    [{ rating: 1, kind: 'huge' }, 'kind must be one of large, small'],
    [{ rating: 1, size: 'XL' }, 'size must be one of S, M, none'],
    [{ rating: 1, by: { type: 'owl' } }, 'by.type must be one of mail, van'],
    [{ rating: 1, by: 7 }, 'by must be of type object'],
  ])('describes what is wrong with %j', async (payload, message) => {
    const response = await order(payload);
    expect(response.json().error.message).toBe(message);
  });

  it.each(['text/plain', 'application/xml', 'nonsense', ''])(
    'rejects the media type %j',
    async type => {
      const response = await order({ rating: 1 }, { 'content-type': type });
      expect(response.statusCode).toBe(400);
      expect(response.json().error).toEqual({
        code: 'INVALID_REQUEST',
        message: 'The Content-Type of the request is not supported',
        details: { field: 'content-type', constraint: 'enum' },
      });
    },
  );

  it('coerces numbers and fills in defaults in a query', async () => {
    const get = (query: string) => service.app.inject(`/api/orders?${query}`);
    expect((await get('page=3')).json().page).toBe(3);
    expect((await get('')).json().page).toBe(1);
    for (const query of ['page=0', 'page=x', 'page=', 'page=1&page=2']) {
      const response = await get(query);
      expect([query, response.statusCode]).toEqual([query, 400]);
      expect(response.json().error.details.field).toBe('page');
    }
    expect((await get('since=2026-02-28')).statusCode).toBe(200);
    expect((await get('since=2026-02-28T10:00:00Z')).statusCode).toBe(200);
    for (const query of ['since=2026-02-31', 'since=soon', 'since=%00']) {
      expect((await get(query)).statusCode).toBe(400);
    }
  });

  it('responds with 404 and 405', async () => {
    const unknown = await service.app.inject('/api/nothing');
    expect([unknown.statusCode, unknown.json().error.code]).toEqual([
      404,
      'NOT_FOUND',
    ]);
    const wrong = await service.app.inject({
      method: 'DELETE',
      url: '/api/orders?x=1',
    });
    expect(wrong.statusCode).toBe(405);
    expect(wrong.headers.allow).toBe('GET, HEAD, POST');
    expect(wrong.json().error.code).toBe('METHOD_NOT_ALLOWED');
    const wrongSlashed = await service.app.inject({
      method: 'DELETE',
      url: '/api/orders/',
    });
    expect(wrongSlashed.statusCode).toBe(405);
    const slashed = await service.app.inject('/api/orders/?page=2');
    expect(slashed.json().page).toBe(2);
    const missing = await service.app.inject('/api/orders/7/');
    expect(missing.json().error.message).toBe('Order 7 not found');
  });

  it.each([9, 200, 2_000])(
    'responds with 404 to a name of %i characters',
    async length => {
      const url = `/api/orders/${'x'.repeat(length)}`;
      const response = await service.app.inject(url);
      expect([response.statusCode, response.json().error.code]).toEqual([
        404,
        'NOT_FOUND',
      ]);
    },
  );

  it('responds with 404 and 405 whatever the body', async () => {
    const send = (url: string) =>
      service.app.inject({
        method: 'POST',
        url,
        payload: '{',
        headers: { 'content-type': 'application/json' },
      });
    expect((await send('/api/nothing')).statusCode).toBe(404);
    expect((await send('/health')).statusCode).toBe(405);
  });

  it('responds with 400 to an invalid percent encoding', async () => {
    const response = await service.app.inject('/api/orders/%zz');
    expect(response.statusCode).toBe(400);
    expect(response.json().error.code).toBe('INVALID_REQUEST');
  });

  it.each([
    ['too long', `/api/orders/${'x'.repeat(2_000)}`, 404],
    ['not validly encoded', '/api/orders/%zz?a=%25', 400],
  ])('counts and heads a path that is %s', async (_what, url, status) => {
    const first = await service.app.inject(url);
    expect(first.statusCode).toBe(status);
    const second = await service.app.inject(url);
    const left = (headers: Record<string, unknown>) =>
      Number(headers['x-ratelimit-remaining']);
    expect(left(second.headers)).toBe(left(first.headers) - 1);
    expect(first.headers).toMatchObject({
      'x-request-id': expect.any(String),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.any(String),
    });
  });

  it('responds with 413 to a body over the limit', async () => {
    const response = await order({ rating: 1, extra: 'x'.repeat(1_100_000) });
    expect(response.statusCode).toBe(413);
    expect(response.json().error.code).toBe('PAYLOAD_TOO_LARGE');
    expect(response.headers['x-ratelimit-limit']).toBe('100');
  });

  it('does not reveal internal errors', async () => {
    const response = await service.app.inject('/api/stock');
    expect(response.statusCode).toBe(500);
    expect(response.json().error).toEqual({
      code: 'INTERNAL',
      message: 'Something went wrong in the service',
    });
    expect(response.body).not.toMatch(/select|hunter2|no_such_table|\.ts/i);
  });
});

it('requires no content type for an empty body where none is expected', async () => {
  const kickable = await startTestService(
    shopService({
      extend: ({ app, auth }) =>
        app.post(
          '/api/kick',
          { config: { access: auth.anyone } },
          async () => 1,
        ),
    }),
  );
  const kick = async (type: string, payload?: string) =>
    (
      await kickable.app.inject({
        method: 'POST',
        url: '/api/kick',
        headers: {
          'content-type': type,
          'content-length': payload?.length ?? 0,
        },
        ...(payload !== undefined && { payload }),
      })
    ).statusCode;
  const form = 'application/x-www-form-urlencoded';
  expect(await kick(form)).toBe(200);
  expect(await kick('application/json')).toBe(200);
  expect(await kick(form, 'a=b')).toBe(400);
  expect(await kick('application/json', '{')).toBe(400);
  await kickable.stop();
});

it('responds with 503 while the database is unavailable', async () => {
  const lost = await startTestService(
    shopService({
      extend({ app, auth }) {
        app.get('/api/lost', { config: { access: auth.anyone } }, async () => {
          throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), {
            code: 'ECONNREFUSED',
          });
        });
      },
    }),
  );
  const response = await lost.app.inject('/api/lost');
  expect(response.statusCode).toBe(503);
  expect(response.headers['retry-after']).toBe('5');
  expect(response.json().error.code).toBe('UNAVAILABLE');
  expect(response.body).not.toContain('10.0.0.1');
  await lost.stop();
});

it('formats errors like group C', async () => {
  const other = await startTestService(shopService({ errors: groupCErrors }));
  const response = await other.app.inject('/api/nothing');
  expect(response.json()).toEqual({
    message: 'Path not found',
  });
  await other.stop();
});
