import { setTimeout as delay } from 'node:timers/promises';
import { shopConfig, shopService } from '../__fixtures__/shopService.ts';
import type { Service } from '../index.ts';
import { startTestService } from '../testing/index.ts';

const origin = 'http://localhost:3000';
let service: Service;

beforeAll(async () => {
  service = await startTestService(shopService(), { config: shopConfig });
});

afterAll(() => service.stop());

it('allows the portal to read responses, with credentials', async () => {
  const { headers } = await service.app.inject({
    url: '/api/orders',
    headers: { origin },
  });
  expect(headers['access-control-allow-origin']).toBe(origin);
  expect(headers['access-control-allow-credentials']).toBe('true');
  expect(headers['access-control-expose-headers']).toContain(
    'X-RateLimit-Remaining',
  );
});

it.each([
  'http://localhost:3001',
  'http://localhost:3000.evil.example',
  'null',
])('does not let %s read responses', async foreign => {
  const { headers } = await service.app.inject({
    url: '/api/orders',
    headers: { origin: foreign },
  });
  expect(headers['access-control-allow-origin']).toBeUndefined();
});

it('answers preflights without a credential', async () => {
  const response = await service.app.inject({
    method: 'OPTIONS',
    url: '/api/orders',
    headers: {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type,x-api-key',
    },
  });
  expect(response.statusCode).toBe(204);
  expect(response.headers['access-control-allow-methods']).toContain('PUT');
  expect(response.headers['access-control-allow-headers']).toContain(
    'x-api-key',
  );
});

it('always sends Vary: Origin', async () => {
  const { headers } = await service.app.inject('/api/orders');
  expect(headers.vary).toBe('Origin');
});

it('grants nothing to preflights from other origins', async () => {
  const { headers } = await service.app.inject({
    method: 'OPTIONS',
    url: '/api/orders',
    headers: {
      origin: 'http://localhost:3001',
      'access-control-request-method': 'PUT',
    },
  });
  expect(headers['access-control-allow-origin']).toBeUndefined();
  expect(headers['access-control-allow-credentials']).toBeUndefined();
});

it('restricts browsers to reading responses', async () => {
  const { headers } = await service.app.inject('/api/orders');
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'x-frame-options': 'DENY',
  });
  expect(headers['x-powered-by']).toBeUndefined();
});

it('accepts a valid request id and replaces others', async () => {
  const ask = async (id: string) => {
    const { headers } = await service.app.inject({
      url: '/api/orders',
      headers: { 'x-request-id': id },
    });
    return headers['x-request-id'];
  };
  expect(await ask('abc-123')).toBe('abc-123');
  expect(await ask('a b\tc')).toMatch(/^[0-9a-f-]{36}$/);
  expect(await ask('x'.repeat(500))).toMatch(/^[0-9a-f-]{36}$/);
});

it('rejects requests under overload, except those of operators', async () => {
  const busy = await startTestService(shopService(), {
    config: { limits: { eventLoopDelay: 20 } },
  });
  // The delay is sampled every second, and ignored right after startup.
  const until = Date.now() + 60_000;
  let refused;
  while (Date.now() < until && !refused) {
    const spin = Date.now() + 300;
    while (Date.now() < spin) {
      // Blocks the event loop.
    }
    await delay(1);
    const response = await busy.app.inject('/api/orders');
    refused = response.statusCode === 503 ? response : undefined;
  }
  expect(refused?.headers['retry-after']).toBe('10');
  expect(refused?.json().error.code).toBe('UNAVAILABLE');
  expect((await busy.app.inject('/health')).statusCode).toBe(200);
  await busy.stop();
});

it('describes itself in OpenAPI 3.1', async () => {
  const description = (await service.app.inject('/openapi.json')).json();
  expect(description.openapi).toBe('3.1.0');
  expect(description.info).toMatchObject({ title: 'Shop' });
  const { post, get } = description.paths['/api/orders'];
  expect(post.security).toEqual([{ apiKey: [] }]);
  expect(get.security).toEqual([{ apiKey: [] }, {}]);
  expect(Object.keys(post.responses)).toEqual([
    '201',
    '400',
    '401',
    '403',
    '409',
    '413',
    '429',
    '500',
    '503',
  ]);
  expect(
    post.requestBody.content['application/json'].schema.properties.rating,
  ).toEqual({ type: 'integer', minimum: 1, maximum: 5 });
  expect(description.components.securitySchemes).toEqual({
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  });
  expect(description.paths['/openapi.json']).toBeUndefined();
});
