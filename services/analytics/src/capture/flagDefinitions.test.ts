import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Service } from '@slipway/service-kit';
import { PostHog } from 'posthog-node';
import {
  API_TOKEN,
  PROJECT_KEY,
  startAnalytics,
} from '../__testUtils__/startAnalytics.ts';

const rollout = (percentage: string, rest: object = {}) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percentage, stickiness: 'default', groupId: 'f' },
  constraints: [],
  ...rest,
});
const plan = {
  contextName: 'plan',
  operator: 'IN',
  inverted: false,
  values: ['pro'],
};
const FLAGS = [
  { name: 'on', enabled: true, strategies: [rollout('100')] },
  { name: 'off', enabled: false, strategies: [rollout('100')] },
  {
    name: 'for-pro',
    enabled: true,
    strategies: [rollout('100', { constraints: [plan] })],
  },
  { name: 'none', enabled: true, strategies: [rollout('0')] },
  {
    name: 'color',
    enabled: true,
    strategies: [rollout('100')],
    variants: [{ name: 'red', weight: 1_000, stickiness: 'default' }],
  },
];

/** Serves flags like the feature-flag service. */
async function startFlags(): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      request.url?.startsWith('/api/client/features')
        ? JSON.stringify({ version: 2, features: FLAGS })
        : '{}',
    );
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}` };
}

describe('flags that SDKs evaluate themselves', () => {
  let flags: { server: Server; url: string };
  let service: Service;
  let host: string;

  beforeAll(async () => {
    flags = await startFlags();
    service = await startAnalytics({
      config: { flags: { url: flags.url, token: 'a-client-token' } },
    });
    host = await service.start();
  });

  afterAll(async () => {
    await service.stop();
    flags.server.closeAllConnections();
    flags.server.close();
  });

  const ask = async (path: string, token = API_TOKEN) => {
    const response = await service.app.inject({
      url: path,
      headers: token ? { authorization: `Bearer ${token}` } : {},
    });
    return { status: response.statusCode, body: response.json() };
  };

  it('are those with the same value for everyone; an SDK requests the others', async () => {
    const path = `/flags/definitions?token=${PROJECT_KEY}&send_cohorts`;
    await vi.waitFor(async () => expect((await ask(path)).status).toBe(200));
    const { body } = await ask(path);
    expect(body).toMatchObject({ cohorts: {}, group_type_mapping: {} });
    expect(
      body.flags.map((flag: Record<string, unknown>) => [
        flag.key,
        flag.active,
        flag.ensure_experience_continuity,
      ]),
    ).toEqual([
      ['on', true, false],
      ['off', false, false],
      ['for-pro', true, true],
      ['none', true, true],
      ['color', true, true],
    ]);
    expect(await ask('/api/feature_flag/local_evaluation/')).toEqual({
      status: 200,
      body,
    });
  });

  it('have the same values in posthog-node as in this service', async () => {
    const asked: string[] = [];
    const posthog = new PostHog(PROJECT_KEY, {
      host,
      personalApiKey: API_TOKEN,
      fetch: async (url, options) => {
        asked.push(new URL(url).pathname);
        return fetch(url, options as RequestInit);
      },
    });
    try {
      expect(await posthog.isFeatureEnabled('on', 'ada')).toBe(true);
      expect(await posthog.isFeatureEnabled('off', 'ada')).toBe(false);
      expect(asked.filter(path => path.startsWith('/flags/'))).toEqual([
        '/flags/definitions',
      ]);
      const personProperties = { plan: 'pro' };
      expect(await posthog.getAllFlags('ada', { personProperties })).toEqual({
        on: true,
        off: false,
        'for-pro': true,
        none: false,
        color: 'red',
      });
      expect(asked).toContain('/flags/');
    } finally {
      await posthog.shutdown();
    }
  });

  it('can be read with a token of the same project', async () => {
    expect((await ask('/flags/definitions', '')).status).toBe(401);
    expect((await ask('/flags/definitions', 'phx_wrong')).status).toBe(401);
    expect((await ask('/flags/definitions?token=phc_wrong')).status).toBe(403);
    expect(
      (await ask(`/flags/definitions?token=${'x'.repeat(201)}`)).status,
    ).toBe(400);
  });
});
