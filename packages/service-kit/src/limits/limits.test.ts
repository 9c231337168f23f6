import {
  shopConfig,
  shopKey,
  shopService,
} from '../__fixtures__/shopService.ts';
import type { Service } from '../index.ts';
import { FakePortal, startTestService } from '../testing/index.ts';
import { RedisServer } from './__fixtures__/RedisServer.ts';

const keys = [
  ...shopConfig.auth.apiKeys,
  { name: 'second', key: 'second-key' },
];
const secondKey = { 'x-api-key': 'second-key' };

function limitedService(
  rateLimit: object,
  config: object = {},
): Promise<Service> {
  return startTestService(
    shopService({
      extend({ app, auth, limits }) {
        app.route({
          method: ['GET', 'POST'],
          url: '/api/me',
          config: { access: auth.portalUser() },
          handler: async () => ({}),
        });
        app.post(
          '/api/batch/:points',
          { config: { access: auth.anyone, limit: false } },
          async (request, reply) => {
            const { points } = request.params as { points: string };
            await limits.consume(reply, {
              budget: { id: 'project', perMinute: 10 },
              points: Number(points),
            });
            return 'stored';
          },
        );
      },
    }),
    { config: { auth: { apiKeys: keys }, rateLimit, ...config } },
  );
}

async function ask(service: Service, headers: Record<string, string> = {}) {
  const response = await service.app.inject({ url: '/api/orders', headers });
  return {
    status: response.statusCode,
    remaining: Number(response.headers['x-ratelimit-remaining']),
    headers: response.headers,
    body: response.json(),
  };
}

describe('limits in memory', () => {
  let service: Service;

  beforeEach(async () => {
    service = await limitedService({ perMinute: 3 });
  });

  afterEach(() => service.stop());

  it('reports what is left, then 429 and when to retry', async () => {
    const left = [];
    for (let call = 0; call < 3; call++) {
      left.push((await ask(service, shopKey)).remaining);
    }
    expect(left).toEqual([2, 1, 0]);
    const refused = await ask(service, shopKey);
    expect(refused.status).toBe(429);
    expect(refused.body.error.code).toBe('RATE_LIMITED');
    const retryAfter = Number(refused.headers['retry-after']);
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
    const reset = Number(refused.headers['x-ratelimit-reset']);
    expect(Math.abs(reset - Date.now() / 1_000 - retryAfter)).toBeLessThan(3);
    expect(refused.headers['x-ratelimit-limit']).toBe('3');
  });

  it.each([-3_600_000, 3_600_000])(
    'goes by no clock that jumps by %i ms',
    async jump => {
      for (let call = 0; call < 3; call++) {
        await ask(service, shopKey);
      }
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + jump });
      const refused = await ask(service, shopKey);
      vi.useRealTimers();
      expect(refused.status).toBe(429);
      const retryAfter = Number(refused.headers['retry-after']);
      expect(retryAfter).toBeGreaterThan(30);
      expect(retryAfter).toBeLessThanOrEqual(60);
    },
  );

  it('does not affect other keys or callers without one', async () => {
    for (let call = 0; call < 5; call++) {
      await ask(service, shopKey);
    }
    expect((await ask(service, shopKey)).status).toBe(429);
    expect((await ask(service, secondKey)).remaining).toBe(2);
    expect((await ask(service)).remaining).toBe(2);
  });

  it('gives reads of the pages of the portal a limit of their own, by user', async () => {
    const portal = await FakePortal.start();
    const paged = await limitedService(
      { perMinute: 2, pagesPerMinute: 4 },
      { portal: { baseUrl: portal.baseUrl } },
    );
    const by = async (
      user: string,
      { method, ...options }: { service?: string; method?: 'POST' } = {},
    ) => {
      const token = await portal.token(user, options);
      const { statusCode, headers } = await paged.app.inject({
        method,
        url: '/api/me',
        headers: { authorization: `Bearer ${token}` },
      });
      return [statusCode, Number(headers['x-ratelimit-remaining'])];
    };
    const ada = 'user:default/ada';
    const pages = { service: 'shop' };
    try {
      expect(await by(ada)).toEqual([200, 1]);
      for (const left of [3, 2, 1, 0]) {
        expect(await by(ada, pages)).toEqual([200, left]);
      }
      expect(await by(ada, pages)).toEqual([429, 0]);
      expect(await by(ada, { ...pages, method: 'POST' })).toEqual([200, 0]);
      expect(await by(ada)).toEqual([429, 0]);
      expect(await by('user:default/grace', pages)).toEqual([200, 3]);
    } finally {
      await paged.stop();
      await portal.stop();
    }
  });

  it('counts wrong keys against the address, so that guessing is limited', async () => {
    const statuses = [];
    for (let call = 0; call < 5; call++) {
      const headers = { 'x-api-key': `guess-${call}` };
      statuses.push((await ask(service, headers)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect((await ask(service, shopKey)).status).toBe(200);
  });

  it('counts unknown paths and methods against the key of the request', async () => {
    const { app } = service;
    const answers = [
      await app.inject({ url: '/api/nothing', headers: shopKey }),
      await app.inject({
        method: 'DELETE',
        url: '/api/orders',
        headers: shopKey,
      }),
    ];
    expect(
      answers.map(({ statusCode, headers }) => [
        statusCode,
        headers['x-ratelimit-remaining'],
      ]),
    ).toEqual([
      [404, '2'],
      [405, '1'],
    ]);
    expect((await ask(service)).remaining).toBe(2);
    const wrong = { url: '/api/nothing', headers: { 'x-api-key': 'wrong' } };
    const refused = await app.inject(wrong);
    expect(refused.statusCode).toBe(404);
    expect(refused.headers['x-ratelimit-remaining']).toBe('1');
  });

  it('applies to rejections and unknown paths too, but not to operator routes', async () => {
    const { app } = service;
    const invalid = await app.inject({
      method: 'POST',
      url: '/api/orders',
      headers: shopKey,
      payload: {},
    });
    expect(invalid.statusCode).toBe(400);
    expect(invalid.headers['x-ratelimit-remaining']).toBe('2');
    const unknown = await app.inject('/api/nothing');
    expect(unknown.statusCode).toBe(404);
    expect(unknown.headers['x-ratelimit-remaining']).toBe('2');
    for (let call = 0; call < 5; call++) {
      const health = await app.inject('/health');
      expect(health.statusCode).toBe(200);
      expect(health.headers['x-ratelimit-limit']).toBeUndefined();
    }
  });

  it('counts as many points as a route requests, or none', async () => {
    const store = async (points: number) => {
      const response = await service.app.inject({
        method: 'POST',
        url: `/api/batch/${points}`,
      });
      return [response.statusCode, response.headers['x-ratelimit-remaining']];
    };
    expect(await store(4)).toEqual([200, '6']);
    expect(await store(6)).toEqual([200, '0']);
    expect(await store(1)).toEqual([429, '0']);
  });
});

it('allows requests again after the minute', async () => {
  const service = await limitedService({ perMinute: 1 });
  vi.useFakeTimers({
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'],
  });
  try {
    await ask(service, shopKey);
    expect((await ask(service, shopKey)).status).toBe(429);
    await vi.advanceTimersByTimeAsync(60_001);
    expect((await ask(service, shopKey)).status).toBe(200);
  } finally {
    vi.useRealTimers();
  }
  await service.stop();
});

it('can be disabled', async () => {
  const service = await limitedService({ enabled: false, perMinute: 1 });
  await ask(service);
  const second = await ask(service);
  expect(second.status).toBe(200);
  expect(second.headers['x-ratelimit-limit']).toBeUndefined();
  await service.stop();
});

describe.skipIf(!RedisServer.isInstalled())('limits in Redis', () => {
  let redis: RedisServer;
  let replicas: Service[];

  beforeEach(async () => {
    redis = await RedisServer.start();
    const rateLimit = {
      perMinute: 4,
      anonymousPerMinute: 1_000,
      store: 'redis',
      redis: redis.url,
    };
    replicas = await Promise.all([
      limitedService(rateLimit),
      limitedService(rateLimit),
    ]);
  });

  afterEach(async () => {
    await Promise.all(replicas.map(replica => replica.stop()));
    await redis.stop();
  });

  /** Waits for the connection, which is opened in the background. */
  const untilShared = () =>
    vi.waitFor(
      async () => {
        const first = await ask(replicas[0]);
        const second = await ask(replicas[1]);
        expect(second.remaining).toBeLessThan(first.remaining);
      },
      { timeout: 10_000, interval: 200 },
    );

  it('hold across replicas', async () => {
    await untilShared();
    const statuses = [];
    for (let call = 0; call < 6; call++) {
      statuses.push((await ask(replicas[call % 2], shopKey)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
  });

  it('fall back to counting per process if Redis is unavailable, without an error', async () => {
    await untilShared();
    await redis.stop();
    const statuses = [];
    for (let call = 0; call < 10; call++) {
      statuses.push((await ask(replicas[call % 2], shopKey)).status);
    }
    expect(statuses).toEqual([
      ...Array.from({ length: 8 }, () => 200),
      429,
      429,
    ]);
    await redis.resume();
    await vi.waitFor(
      async () => {
        await ask(replicas[0], secondKey);
        const { status } = await ask(replicas[1], secondKey);
        expect(status).toBe(429);
      },
      { timeout: 10_000, interval: 200 },
    );
  });
});
