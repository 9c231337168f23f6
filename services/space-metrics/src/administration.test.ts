import { FakePortal } from '@slipway/service-kit/testing';
import {
  clientOf,
  FORGE_SECRET,
  KEY,
  startSpaceMetrics,
} from './__testUtils__/startSpaceMetrics.ts';

describe('administration', () => {
  it('has the forges that may send webhooks, but no secret', async () => {
    const portal = await FakePortal.start({
      groups: { 'user:default/ada': ['group:default/platform-admins'] },
    });
    const service = await startSpaceMetrics({
      config: { portal: { baseUrl: portal.baseUrl } },
    });
    const read = async (user?: string) =>
      service.app.inject({
        url: '/api/v1/administration',
        headers: user
          ? { cookie: await portal.cookie(`user:default/${user}`) }
          : {},
      });
    const response = await read('ada');
    expect(response.statusCode).toBe(200);
    expect(response.body).not.toMatch(`${FORGE_SECRET}|${KEY}`);
    const { tokens, webhooks } = response.json();
    expect(webhooks).toHaveLength(4);
    expect(webhooks[0]).toEqual({
      id: 'forge-github',
      name: 'Activity from GitHub',
      direction: 'incoming',
      kind: 'GitHub',
      host: null,
      events: ['*'],
      configured: true,
      signed: true,
      paused: false,
      lastAt: null,
      error: null,
      failures: 0,
    });
    expect(tokens.map(({ name }: { name: string }) => name)).toEqual([
      'Activity from GitHub',
      'Activity from GitLab',
      'Activity from Gitea',
      'Activity from Forgejo',
      'test',
    ]);
    await clientOf(service).github('ping', {}, 'wrong');
    expect((await read('ada')).json().webhooks[0].lastAt).toBeNull();
    await clientOf(service).github('ping', {});
    const used = (await read('ada')).json();
    expect(used.webhooks[0].lastAt).toEqual(expect.any(String));
    expect(used.tokens[0].lastUsedAt).toBe(used.webhooks[0].lastAt);
    expect((await read('grace')).statusCode).toBe(403);
    expect((await read()).statusCode).toBe(401);
    await service.stop();
    await portal.stop();
  });
});
