import { testDatabaseClients } from '@slipway/service-kit/testing';
import { portalSuite } from './__testUtils__/portalSuite.ts';

const SECRET = 'never-to-be-shown-anywhere';

describe.each(testDatabaseClients())('administration on %s', client => {
  const suite = portalSuite(client, {
    config: () => ({ egress: { allowedHosts: ['127.0.0.1'] } }),
  });
  const read = async (user: string) => {
    const token = await suite.portal.token(`user:default/${user}`);
    return suite.calls.send('GET', '/api/v1/administration', {
      token: `Bearer ${token}`,
    });
  };

  it('has tokens and channels, with the paths that revoke and test them', async () => {
    const made = await suite.ada('POST', '/api-tokens', {
      tokenName: 'shop',
      type: 'client',
      projects: ['default'],
      expiresAt: suite.timeIn(60),
    });
    await suite.ada('POST', '/notices', {
      name: 'releases',
      kind: 'slack',
      url: `http://127.0.0.1:1/services/${SECRET}`,
      enabled: false,
    });
    const { status, body } = await read('ada');
    expect(status).toBe(200);
    const text = JSON.stringify(body);
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(made.body.secret);
    expect(text).not.toContain('test-client-token');
    const { id } = made.body;
    expect(body.tokens[0]).toEqual({
      id,
      name: 'shop',
      kind: 'client-token',
      scopes: ['default', 'development'],
      configured: false,
      createdAt: made.body.createdAt,
      createdBy: 'user:default/ada',
      lastUsedAt: null,
      expiresAt: made.body.expiresAt,
      page: '/flags/api-access',
      remove: `/api/admin/api-tokens/${id}`,
    });
    expect(body.tokens).toContainEqual(
      expect.objectContaining({
        kind: 'admin-token',
        configured: true,
        scopes: [],
        createdAt: null,
      }),
    );
    expect(body.webhooks).toEqual([
      {
        id: 'notice-1',
        name: 'releases',
        direction: 'outgoing',
        kind: 'Slack',
        host: '127.0.0.1:1',
        events: ['*'],
        configured: false,
        signed: false,
        paused: true,
        lastAt: null,
        error: null,
        failures: 0,
        page: '/flags/notices',
        test: '/api/admin/notices/1/test',
        remove: '/api/admin/notices/1',
      },
    ]);
  });

  it('is reserved for admins', async () => {
    expect((await read('bob')).status).toBe(403);
    const anonymous = await suite.calls.send('GET', '/api/v1/administration');
    expect(anonymous.status).toBe(401);
  });
});
