import { ResponseError } from '@backstage/errors';
import { ContractErrorMiddleware } from './fetchModule';

function fetchAnswering(
  status: number,
  body: string,
  type = 'application/json',
) {
  const middleware = new ContractErrorMiddleware();
  const answer = new Response(body, {
    status,
    headers: { 'content-type': type, 'x-ratelimit-limit': '100' },
  });
  return middleware.apply(async () => answer)('http://portal/api/x');
}

describe('ContractErrorMiddleware', () => {
  it('passes the message and the name of the error on to ResponseError', async () => {
    const response = await fetchAnswering(409, '{"error":"The name is taken"}');
    const error = await ResponseError.fromResponse(response);

    expect(error.statusCode).toBe(409);
    expect(error.cause.name).toBe('ConflictError');
    expect(error.cause.message).toBe('The name is taken');
  });

  it('reads the errors of companion services as well', async () => {
    const response = await fetchAnswering(
      400,
      JSON.stringify({
        error: { code: 'INVALID_REQUEST', message: 'task is required' },
        status: 400,
        timestamp: '2026-11-21T10:00:00.000Z',
      }),
    );
    const error = await ResponseError.fromResponse(response);
    expect(error.cause.name).toBe('InputError');
    expect(error.cause.message).toBe('task is required');
  });

  it.each([
    ['the build server', { message: 'select.0 calls nonsense' }],
    [
      'PostHog',
      {
        type: 'validation_error',
        code: 'invalid_input',
        detail: 'select.0 calls nonsense',
        attr: 'select.0',
      },
    ],
    [
      'Unleash',
      {
        name: 'BadDataError',
        message: 'select.0 calls nonsense',
        details: [{ message: 'select.0 calls nonsense' }],
      },
    ],
  ])('reads the errors of who speaks as %s does', async (_, body) => {
    const response = await fetchAnswering(400, JSON.stringify(body));
    const error = await ResponseError.fromResponse(response);
    expect(error.cause.message).toBe('select.0 calls nonsense');
  });

  it('keeps status and headers', async () => {
    const response = await fetchAnswering(429, '{"error":"Too many requests"}');
    expect(response.status).toBe(429);
    expect(response.headers.get('x-ratelimit-limit')).toBe('100');
  });

  it.each([
    ['a success', 200, '{"error":"not an error"}', 'application/json'],
    [
      'an error in the envelope',
      404,
      '{"error":{"name":"NotFoundError","message":"m"},"response":{}}',
      'application/json',
    ],
    ['a page', 502, '<h1>Bad gateway</h1>', 'text/html'],
    ['broken JSON', 500, '{"error":', 'application/json'],
    ['a JSON null', 500, 'null', 'application/json'],
  ])('leaves %s alone', async (_, status, body, type) => {
    const response = await fetchAnswering(status, body, type);
    expect(await response.text()).toBe(body);
  });
});
