import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import {
  coreServices,
  createServiceFactory,
} from '@backstage/backend-plugin-api';
import {
  mockCredentials,
  mockServices,
  startTestBackend,
} from '@backstage/backend-test-utils';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { serviceProxyPlugin } from './plugin';

const GRACE = 'user:default/grace';

/** A service with a custom handler that records the requests it receives. */
class RecordingService {
  readonly requests: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[] = [];
  answer: RequestListener = (_req, res) => res.end('{}');
  readonly #server: Server = createServer((req, res) => {
    const { method, url, headers } = req;
    this.requests.push({ method, url, headers });
    this.answer(req, res);
  });

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  token(index = -1): string {
    return this.requests.at(index)!.headers.authorization!.slice(7);
  }
}

let service: RecordingService;
let backend: Awaited<ReturnType<typeof startTestBackend>>;
let port: number;

beforeAll(async () => {
  service = new RecordingService();
  await service.start();
  backend = await startTestBackend({
    features: [
      serviceProxyPlugin,
      mockServices.rootConfig.factory({
        data: {
          backend: { baseUrl: 'http://localhost:7007' },
          proxy: {
            endpoints: {
              '/shop': { target: service.url, proxyTimeout: 3_000 },
              '/builds': {
                target: service.url,
                paths: ['/job/'],
              },
              '/gone': { target: 'http://127.0.0.1:1' },
            },
          },
        },
      }),
      createServiceFactory({
        service: coreServices.userInfo,
        deps: {},
        factory: () => ({
          getUserInfo: async () => ({
            userEntityRef: GRACE,
            ownershipEntityRefs: [GRACE, 'group:default/payments'],
          }),
        }),
      }),
    ],
  });
  port = (backend.server as unknown as { port(): number }).port();
});

beforeEach(() => {
  service.requests.length = 0;
  service.answer = (_req, res) => res.end('{}');
});

afterAll(async () => {
  await backend?.stop();
  await service?.stop();
});

/** Sends a request whose path is not normalized, unlike in a browser. */
async function ask(
  path: string,
  options: { headers?: Record<string, string>; method?: string } = {},
): Promise<{
  status: number;
  body: string;
  headers: IncomingMessage['headers'];
}> {
  const sent = request({
    host: '127.0.0.1',
    port,
    path: `/api/proxy${path}`,
    method: options.method,
    headers: {
      authorization: mockCredentials.user.header(GRACE),
      ...options.headers,
    },
  }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of answer) {
    body += chunk;
  }
  return { status: answer.statusCode!, body, headers: answer.headers };
}

it('sends a service a token for this service only, and no other data of the user', async () => {
  const answer = await ask('/shop/api/v1/things?q=a%2Fb', {
    headers: {
      cookie: 'backstage-auth=limited',
      'x-api-key': 'secret',
      'x-forwarded-for': '10.0.0.1',
      'x-request-id': 'abc',
    },
  });
  expect(answer.status).toBe(200);
  const [{ url, headers }] = service.requests;
  expect(url).toBe('/api/v1/things?q=a%2Fb');
  expect(headers).toMatchObject({ 'x-request-id': 'abc' });
  for (const name of ['cookie', 'x-api-key', 'x-forwarded-for']) {
    expect(headers).not.toHaveProperty(name);
  }
  const keys = await ask('/.well-known/jwks.json', {
    headers: { authorization: '' },
  });
  const { payload, protectedHeader } = await jwtVerify(
    service.token(),
    createLocalJWKSet(JSON.parse(keys.body)),
    { audience: 'shop', subject: GRACE },
  );
  expect(protectedHeader.typ).toBe('vnd.slipway.service-user');
  expect(payload.ent).toEqual([GRACE, 'group:default/payments']);
  expect(payload.exp! - payload.iat!).toBeLessThanOrEqual(300);
  // Contains neither the proof of Backstage's own tokens nor any of its private keys.
  expect(Object.keys(payload).sort()).toEqual([
    'aud',
    'ent',
    'exp',
    'iat',
    'sub',
  ]);
  for (const key of JSON.parse(keys.body).keys) {
    expect(key).not.toHaveProperty('d');
  }
});

it('reuses a token for many requests, with a separate one per service', async () => {
  await ask('/shop/api/one');
  await ask('/shop/api/two');
  await ask('/builds/job/one');
  expect(service.token(0)).toBe(service.token(1));
  expect(decodeJwt(service.token(2)).aud).toBe('builds');
});

it('forwards only the paths that pages need', async () => {
  for (const path of [
    '/shop/metrics',
    '/shop//metrics',
    '/shop/api',
    '/shop/ready',
    '/shop/api/../metrics',
    '/shop/api/%2e%2e/metrics',
    '/shop/api/..%2fmetrics',
    '/shop/api/..\\metrics',
    '/shop/api/.%2E/metrics',
    '/shop/api/%',
    '/shop/%61pi/../metrics',
    '/shop',
    '/builds/api/json',
    '/builds/metrics',
  ]) {
    const { status } = await ask(path);
    expect([path, status]).toEqual([path, 404]);
  }
  expect(service.requests).toEqual([]);
  expect((await ask('/builds/job/a%2Fb/3')).status).toBe(200);
  expect(service.requests[0].url).toBe('/job/a%2Fb/3');
});

it('is for users only', async () => {
  const none = await ask('/shop/api/x', {
    headers: { authorization: mockCredentials.none.header() },
  });
  expect(none.status).toBe(401);
  const authorization = mockCredentials.service.header();
  const program = await ask('/shop/api/x', { headers: { authorization } });
  expect(program.status).toBe(403);
  const cookie = mockCredentials.limitedUser.cookie(GRACE);
  const limited = await ask('/shop/api/x', {
    headers: { authorization: mockCredentials.none.header(), cookie },
  });
  expect(limited.status).toBe(401);
  expect(service.requests).toEqual([]);
});

it('removes cookies set by a service', async () => {
  service.answer = (_req, res) => {
    res.setHeader('set-cookie', 'backstage-auth=evil');
    res.setHeader('retry-after', '7');
    res.writeHead(429).end('{}');
  };
  const { status, headers } = await ask('/shop/api/x');
  expect(status).toBe(429);
  expect(headers['retry-after']).toBe('7');
  expect(headers).not.toHaveProperty('set-cookie');
});

it('streams the response, and aborts the request when the user leaves', async () => {
  const gone = new Promise<void>(resolve => {
    service.answer = (req, res) => {
      res.writeHead(200, { 'content-type': 'text/plain' });
      res.write('first');
      req.socket.once('close', resolve);
    };
  });
  const sent = request({
    host: '127.0.0.1',
    port,
    path: '/api/proxy/shop/api/stream',
    headers: { authorization: mockCredentials.user.header(GRACE) },
  }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const [chunk] = await once(answer, 'data');
  expect(String(chunk)).toBe('first');
  answer.once('error', () => {});
  sent.destroy();
  await gone;
});

it('names a service that refuses connections, does not respond, or fails during its response', async () => {
  const refused = await ask('/gone/api/x');
  expect(refused.status).toBe(504);
  expect(JSON.parse(refused.body)).toEqual({
    error: {
      name: 'ServiceUnavailableError',
      message: 'The service gone is not responding',
    },
    response: { statusCode: 504 },
  });
  service.answer = () => {};
  expect((await ask('/shop/api/silent')).status).toBe(504);
  service.answer = (_req, res) => {
    res.writeHead(200, { 'content-length': '10' });
    res.write('five!');
    setTimeout(() => res.destroy(), 50);
  };
  await expect(ask('/shop/api/broken')).rejects.toThrow(/aborted|hang up/);
});
