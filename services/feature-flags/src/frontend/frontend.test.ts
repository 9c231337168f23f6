import type { Service } from '@slipway/service-kit';
import { openTestDatabase } from '@slipway/service-kit/testing';
import { InMemoryStorageProvider, UnleashClient } from 'unleash-proxy-client';
import {
  callsTo,
  CLIENT_TOKEN,
  FRONTEND_TOKEN,
  startFeatureFlags,
} from '../__testUtils__/startFeatureFlags.ts';
import { featureFlags } from '../service.ts';

const PAGE = 'https://shop.example';

describe('/api/frontend', () => {
  let service: Service;
  let url: string;
  let calls: ReturnType<typeof callsTo>;
  let dispose: () => Promise<void>;

  beforeAll(async () => {
    const test = await openTestDatabase('sqlite', featureFlags);
    dispose = test.dispose;
    service = await startFeatureFlags({ database: test.database });
    url = await service.start();
    calls = callsTo(service);
    await calls.create('half', {
      enabled: true,
      strategies: [
        {
          name: 'flexibleRollout',
          parameters: { rollout: '50', stickiness: 'userId', groupId: 'half' },
          constraints: [
            { contextName: 'region', operator: 'IN', values: ['eu'] },
          ],
        },
      ],
      variants: [
        { name: 'blue', weight: 1000, payload: { type: 'string', value: 'b' } },
      ],
    });
    await calls.create('off');
  });

  afterAll(async () => {
    await service.stop();
    await dispose();
  });

  it.each(['2031-01-01T00:00:00Z', '1924992000000', '1924992000'])(
    'evaluates flags as of %s',
    async currentTime => {
      const name = `later-${currentTime.length}`;
      await calls.create(name, {
        enabled: true,
        strategies: [
          {
            name: 'default',
            constraints: [
              {
                contextName: 'currentTime',
                operator: 'DATE_AFTER',
                value: '2030-12-31T00:00:00Z',
              },
            ],
          },
        ],
      });
      const namesOn = async (query: string) => {
        const { body } = await calls.send('GET', `/api/frontend${query}`, {
          token: FRONTEND_TOKEN,
        });
        return body.toggles.map((toggle: { name: string }) => toggle.name);
      };
      expect(await namesOn('')).not.toContain(name);
      expect(await namesOn(`?currentTime=${currentTime}`)).toContain(name);
    },
  );

  it('returns 400 for properties that are longer than a query can be', async () => {
    const ask = (length: number) =>
      calls.send('POST', '/api/frontend', {
        token: FRONTEND_TOKEN,
        payload: { context: { properties: { region: 'a'.repeat(length) } } },
      });
    expect((await ask(16_000)).status).toBe(200);
    const { status, body } = await ask(17_000);
    expect([status, body.message]).toEqual([
      400,
      'context.properties must not have more than 16384 characters',
    ]);
  });

  it('returns the flags that are on for a context, in a query or a body', async () => {
    const toggle = {
      name: 'half',
      enabled: true,
      variant: {
        name: 'blue',
        enabled: true,
        payload: { type: 'string', value: 'b' },
        feature_enabled: true,
        featureEnabled: true,
      },
      impressionData: false,
    };
    const users = Array.from({ length: 40 }, (_, index) => `user-${index}`);
    const ask = async (userId: string) => {
      const queries = [
        `userId=${userId}&properties[region]=eu`,
        `userId=${userId}&region=eu`,
      ];
      const responses = await Promise.all([
        ...queries.map(query =>
          calls.send('GET', `/api/frontend?${query}`, {
            token: FRONTEND_TOKEN,
          }),
        ),
        calls.send('POST', '/api/frontend', {
          token: FRONTEND_TOKEN,
          payload: { context: { userId, properties: { region: 'eu' } } },
        }),
      ]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(responses[1].body).toEqual(responses[0].body);
      expect(responses[2].body).toEqual(responses[0].body);
      return responses[0].body.toggles;
    };
    const got = await Promise.all(users.map(ask));
    const on = got.filter(toggles => toggles.length > 0);
    expect(on.length).toBeGreaterThan(10);
    expect(on.length).toBeLessThan(30);
    expect(on[0]).toEqual([toggle]);
  });

  it('returns 304 while the same context gets the same flags', async () => {
    const path = '/api/frontend?userId=ada&region=eu';
    const first = await calls.send('GET', path, { token: FRONTEND_TOKEN });
    const again = await calls.send('GET', path, {
      token: FRONTEND_TOKEN,
      headers: { 'if-none-match': String(first.headers.etag) },
    });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('allows pages of any origin on this route, and of none on others', async () => {
    const ask = (path: string, token: string) =>
      calls.send('GET', path, { token, headers: { origin: PAGE } });
    const { headers } = await ask('/api/frontend', FRONTEND_TOKEN);
    expect(headers).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-expose-headers': expect.stringContaining('ETag'),
    });
    const other = await ask('/api/client/features', CLIENT_TOKEN);
    expect(other.headers).not.toHaveProperty('access-control-allow-origin');
    const preflight = await service.app.inject({
      method: 'OPTIONS',
      url: '/api/frontend',
      headers: { origin: PAGE, 'access-control-request-headers': 'x,y' },
    });
    expect([preflight.statusCode, preflight.headers]).toMatchObject([
      204,
      {
        'access-control-allow-origin': PAGE,
        'access-control-allow-headers': 'x,y',
      },
    ]);
  });

  it('serves unleash-proxy-client as it comes from npm', async () => {
    const sdk = new UnleashClient({
      url: `${url}/api/frontend`,
      clientKey: FRONTEND_TOKEN,
      appName: 'page',
      refreshInterval: 0.1,
      metricsInterval: 0.2,
      metricsIntervalInitial: 0.1,
      storageProvider: new InMemoryStorageProvider(),
      fetch,
    });
    await calls.create('simple', { enabled: true });
    await sdk.start();
    await vi.waitUntil(() => sdk.isEnabled('simple'));
    expect(sdk.isEnabled('off')).toBe(false);
    await calls.admin('POST', '/features/simple/toggle/off');
    await vi.waitUntil(() => !sdk.isEnabled('simple'));
    await vi.waitUntil(async () => {
      const { body } = await calls.admin('GET', '/metrics/features/simple');
      return body.lastHourUsage.yes > 0 && body.lastHourUsage.no > 0;
    });
    sdk.stop();
  });

  it('tells proxies which of their tokens are valid', async () => {
    const { body } = await calls.send('POST', '/edge/validate', {
      payload: { tokens: [FRONTEND_TOKEN, '*:development.made-up', 'x'] },
    });
    expect(body.tokens).toEqual([
      {
        token: FRONTEND_TOKEN,
        type: 'frontend',
        projects: ['*'],
        environment: 'development',
      },
    ]);
  });
});
