import {
  coreServices,
  createBackendPlugin,
} from '@backstage/backend-plugin-api';
import {
  mockCredentials,
  mockServices,
  startTestBackend,
} from '@backstage/backend-test-utils';
import { RedisServer } from '@slipway/e2e/src/processes/RedisServer.ts';
import { Router } from 'express';
import request from 'supertest';
import { jsonBody } from '../http/requests';
import { contractHttpRouterFactory } from '../httpRouter/contractHttpRouter';

/** Creates a plugin with all paths of the contract and one other path. */
function pluginOf(pluginId: string) {
  return createBackendPlugin({
    pluginId,
    register(env) {
      env.registerInit({
        deps: { httpRouter: coreServices.httpRouter },
        async init({ httpRouter }) {
          const router = Router();
          router.post('/workspaces', ...jsonBody(), (_req, res) => {
            res.status(201).json({});
          });
          router.get('*', (_req, res) => {
            res.json({});
          });
          router.post('/locations', (_req, res) => {
            res.status(201).json({});
          });
          httpRouter.use(router);
        },
      });
    },
  });
}

const PLUGINS = ['ide-launcher', 'delivery-lake', 'catalog', 'elsewhere'];

const ada = mockCredentials.user.header('user:default/ada');
const grace = mockCredentials.user.header('user:default/grace');
const service = mockCredentials.service.header({
  onBehalfOf: mockCredentials.service('ci'),
  targetPluginId: 'ide-launcher',
});
const anonymous = mockCredentials.none.header();

interface Asked {
  authorization?: string;
  method?: 'get' | 'post';
}

async function start(rateLimit: object) {
  const backend = await startTestBackend({
    features: [
      contractHttpRouterFactory,
      mockServices.rootConfig.factory({ data: { slipway: { rateLimit } } }),
      ...PLUGINS.map(pluginOf),
    ],
  });
  return {
    stop: () => backend.stop(),
    ask: async (
      path: string,
      { authorization = ada, method = 'get' }: Asked = {},
    ) => {
      const answer = await request(backend.server)
        [method](`/api${path}`)
        .set('Authorization', authorization);
      return {
        status: answer.status,
        headers: answer.headers,
        body: answer.body,
        remaining: answer.headers['x-ratelimit-remaining'],
      };
    },
  };
}

describe('limits of the portal API', () => {
  it('shares one budget per user across plugins', async () => {
    const { ask } = await start({ userPerMinute: 3 });
    const left = [
      await ask('/ide-launcher/workspaces'),
      await ask('/delivery-lake/dora-metrics'),
      await ask('/catalog/entities'),
    ].map(({ remaining }) => remaining);
    expect(left).toEqual(['2', '1', '0']);

    const refused = await ask('/delivery-lake/deployment-history');
    expect(refused.status).toBe(429);
    expect(refused.headers['x-ratelimit-limit']).toBe('3');
    expect(refused.remaining).toBe('0');
    const wait = Number(refused.headers['retry-after']);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    const reset = Number(refused.headers['x-ratelimit-reset']);
    expect(Math.abs(reset - Date.now() / 1_000 - wait)).toBeLessThan(3);
    expect(refused.body).toEqual({
      error: `Too many requests; try again in ${wait} s`,
    });

    const other = await ask('/catalog/entities', { authorization: grace });
    expect(other.status).toBe(200);
    expect(other.remaining).toBe('2');
  });

  it('has another limit for service tokens', async () => {
    const { ask } = await start({ servicePerMinute: 7 });
    const { headers } = await ask('/ide-launcher/workspaces', {
      authorization: service,
    });
    expect(headers['x-ratelimit-limit']).toBe('7');
    expect(headers['x-ratelimit-remaining']).toBe('6');
  });

  it('reports the remaining budget on rejections too', async () => {
    const { ask } = await start({ userPerMinute: 9 });
    const created = await ask('/ide-launcher/workspaces', { method: 'post' });
    expect(created.status).toBe(201);
    expect(created.remaining).toBe('8');
    const unknown = await ask('/ide-launcher/workspaces/x', { method: 'post' });
    expect(unknown.status).toBe(404);
    expect(unknown.body).toEqual({
      error: 'No such resource: /workspaces/x',
    });
    expect(unknown.remaining).toBe('7');
  });

  it('counts requests without a valid credential against the address', async () => {
    const { ask } = await start({ anonymousPerMinute: 2 });
    const statuses = [];
    for (const authorization of [
      anonymous,
      mockCredentials.user.invalidHeader(),
      mockCredentials.service.invalidHeader(),
    ]) {
      const answer = await ask('/catalog/entities', { authorization });
      expect(answer.body).toEqual({ error: expect.any(String) });
      expect(answer.headers['x-ratelimit-limit']).toBe('2');
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([401, 401, 429]);
    expect((await ask('/catalog/entities')).status).toBe(200);
  });

  it("does not count the portal's own routes, and no call between plugins", async () => {
    const { ask } = await start({ userPerMinute: 1, servicePerMinute: 1 });
    for (const [path, method] of [
      ['/ide-launcher/workspaces/x', 'get'],
      ['/ide-launcher/options', 'get'],
      ['/catalog/locations', 'get'],
      ['/catalog/locations?dryRun=true', 'post'],
      ['/elsewhere/workspaces', 'get'],
    ] as const) {
      const { headers } = await ask(path, { method });
      expect(headers['x-ratelimit-limit']).toBeUndefined();
    }
    const plugin = mockCredentials.service.header({
      onBehalfOf: mockCredentials.service('plugin:search'),
      targetPluginId: 'catalog',
    });
    for (let call = 0; call < 3; call++) {
      const answer = await ask('/catalog/entities', { authorization: plugin });
      expect(answer.status).toBe(200);
      expect(answer.remaining).toBeUndefined();
    }
    expect((await ask('/catalog/entities')).remaining).toBe('0');
  });

  it.each(['/Catalog/Entities', '/catalog/entities/', '/catalog/entities?a=b'])(
    'counts %s like the route that it reaches',
    async path => {
      const { ask } = await start({});
      expect((await ask(path)).remaining).toBe('99');
    },
  );

  it('allows requests again after the minute', async () => {
    const { ask } = await start({ userPerMinute: 1 });
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    try {
      await ask('/catalog/entities');
      expect((await ask('/catalog/entities')).status).toBe(429);
      await vi.advanceTimersByTimeAsync(60_001);
      expect((await ask('/catalog/entities')).status).toBe(200);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([-3_600_000, 3_600_000])(
    'keeps counting when the clock is changed by %i ms',
    async jump => {
      const { ask } = await start({ userPerMinute: 1 });
      await ask('/catalog/entities');
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + jump });
      try {
        const { status, headers } = await ask('/catalog/entities');
        expect(status).toBe(429);
        const wait = Number(headers['retry-after']);
        expect(wait).toBeGreaterThan(30);
        expect(wait).toBeLessThanOrEqual(60);
      } finally {
        vi.useRealTimers();
      }
    },
  );

  it.each(['/devfile/preview', '/workspaces/workspace-1/devfile'])(
    'counts %s, which reads a devfile, before reading anything',
    async route => {
      const { ask } = await start({ userPerMinute: 1 });
      const read = () => ask(`/ide-launcher${route}`, { method: 'post' });
      expect((await read()).remaining).toBe('0');
      expect((await read()).status).toBe(429);
    },
  );

  it.each([1_024, 1_025, 8_000])(
    'counts a path of %i characters like any other',
    async length => {
      const { ask } = await start({ userPerMinute: 2 });
      const path = `/ide-launcher/workspaces/${'x'.repeat(length)}`;
      const answer = await ask(path, { method: 'post' });
      expect(answer.status).toBe(404);
      expect(answer.remaining).toBe('1');
    },
  );

  it('can be disabled', async () => {
    const { ask } = await start({ enabled: false, userPerMinute: 1 });
    await ask('/catalog/entities');
    const second = await ask('/catalog/entities');
    expect(second.status).toBe(200);
    expect(second.remaining).toBeUndefined();
  });

  it.each([
    [{ userPerMinute: 0 }, 'slipway.rateLimit.userPerMinute'],
    [{ store: 'file' }, 'slipway.rateLimit.store must be one of'],
    [{ store: 'redis' }, 'slipway.rateLimit.redis'],
  ])('does not start with %j', async (rateLimit, message) => {
    await expect(start(rateLimit)).rejects.toThrow(message);
  });
});

describe.skipIf(!RedisServer.isInstalled())('limits in Redis', () => {
  it('hold across replicas, and per replica if Redis is unavailable', async () => {
    const redis = await RedisServer.start();
    const rateLimit = {
      userPerMinute: 4,
      servicePerMinute: 1_000,
      store: 'redis',
      redis: redis.url,
    };
    const replicas = [await start(rateLimit), await start(rateLimit)];
    // The connection is opened in the background.
    await vi.waitFor(
      async () => {
        const [first, second] = [
          await replicas[0].ask('/catalog/entities', {
            authorization: service,
          }),
          await replicas[1].ask('/catalog/entities', {
            authorization: service,
          }),
        ];
        expect(Number(second.remaining)).toBeLessThan(Number(first.remaining));
      },
      { timeout: 10_000, interval: 100 },
    );
    const statuses = [];
    for (let call = 0; call < 6; call++) {
      const { status } = await replicas[call % 2].ask('/catalog/entities');
      statuses.push(status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);

    await redis.stop();
    for (const { ask } of replicas) {
      const answer = await ask('/catalog/entities', { authorization: grace });
      expect(answer.status).toBe(200);
      expect(answer.remaining).toBe('3');
    }
    await Promise.all(replicas.map(({ stop }) => stop()));
  });
});
