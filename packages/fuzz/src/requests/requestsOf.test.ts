import fc from 'fast-check';
import { readRoutes } from '../routes/readRoutes.ts';
import { requestsOf } from './requestsOf.ts';

const [route] = readRoutes({
  components: {
    schemas: {
      Order: {
        type: 'object',
        required: ['item'],
        properties: {
          item: { type: 'string', enum: ['tea'] },
          count: { type: 'integer', minimum: 1, maximum: 3 },
        },
      },
    },
  },
  paths: {
    '/orders/{id}': {
      parameters: [{ name: 'id', in: 'path', schema: { type: 'string' } }],
      post: {
        parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }],
        requestBody: {
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Order' },
            },
          },
        },
        responses: { 201: {} },
      },
    },
  },
});

function sample(seed: number) {
  return fc.sample(
    requestsOf(route, {
      credentials: [{ name: 'key', headers: [['X-API-Key', 'good']] }],
      known: { id: ['there'] },
    }),
    { seed, numRuns: 300 },
  );
}

describe('requestsOf', () => {
  it('generates the same requests from the same seed', () => {
    // Compares only small bodies: large ones are shared objects.
    const small = (seed: number) =>
      sample(seed).filter(({ body = '' }) => body.length < 10_000);
    expect(small(7)).toEqual(small(7));
    expect(small(7)).not.toEqual(small(8));
  });

  it('generates valid as well as invalid requests', () => {
    const requests = sample(1);
    const isGood = (body?: Buffer) =>
      /^\{"item":"tea"(,"count":[123])?\}$/.test(String(body));
    expect(requests.some(({ body }) => isGood(body))).toBe(true);
    expect(requests.some(({ body }) => !isGood(body))).toBe(true);
    expect(
      requests.filter(({ target }) => target.startsWith('/orders/there'))
        .length,
    ).toBeGreaterThan(100);
    const headers = requests.flatMap(request => request.headers);
    expect(headers).toContainEqual(['X-API-Key', 'good']);
    expect(headers).toContainEqual(['Content-Encoding', 'gzip']);
    expect(requests.some(({ cutAt }) => cutAt !== undefined)).toBe(true);
  });

  it('writes no line breaks into the head', () => {
    for (const { target, headers } of sample(2)) {
      expect([target, ...headers.flat()].join('')).not.toMatch(/[\r\n]/);
    }
  });
});
