import { mockCredentials, mockServices } from '@backstage/backend-test-utils';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import request from 'supertest';
import { GRACE } from './__testUtils__/startPortal';
import { readIdeLauncherConfig } from './config';
import { IdleMonitor } from './workspaces/expiry';
import {
  DEVFILE_URL,
  startWorkspacePortal,
} from './__testUtils__/workspacePortal';

describe('other routes', () => {
  it('previews a devfile with its errors and unsupported parts', async () => {
    const { call } = await startWorkspacePortal();
    const preview = (devfileUrl: string) =>
      call('post', '/devfile/preview').send({ devfileUrl });

    expect((await preview(DEVFILE_URL)).body).toMatchObject({
      valid: true,
      issues: [],
      devfile: {
        name: 'shop',
        version: '1.4.0',
        schemaVersion: '2.2.2',
        components: [{ name: 'tools', type: 'container' }],
        endpoints: [{ name: 'web', targetPort: 8080, exposure: 'public' }],
      },
      warnings: ['Volumes are not kept apart'],
    });
    const wrong = await preview('https://forge.example.org/wrong.yaml');
    expect(wrong.status).toBe(200);
    expect(wrong.body).toMatchObject({
      valid: false,
      devfile: null,
      issues: [{ path: 'components[0].name' }],
    });
  });

  it('returns limits, usage, samples and the editor', async () => {
    const { call, create } = await startWorkspacePortal();
    await create();
    const { body } = await call('get', '/options');

    expect(body).toEqual({
      samples: [
        { title: 'Shop', description: 'A shop', devfileUrl: DEVFILE_URL },
      ],
      defaultNamespace: 'ada-workspaces',
      limits: { total: 50, running: 25 },
      usage: { total: 1, running: 1 },
      runtime: {
        kind: 'fake',
        editor: expect.objectContaining({ state: 'ready' }),
        isolation: expect.objectContaining({ kind: 'none' }),
      },
      idleTimeoutMinutes: 30,
    });
  });

  it('responds 401, 404 and 405 in the contract’s format', async () => {
    const { call, server } = await startWorkspacePortal();
    const anonymous = await request(server)
      .get('/api/ide-launcher/workspaces')
      .set('Authorization', mockCredentials.none.header());
    expect(anonymous.status).toBe(401);
    expect(anonymous.body).toEqual({ error: expect.any(String) });

    const unknown = await call('get', '/nothing');
    expect(unknown.status).toBe(404);
    expect(unknown.body).toEqual({ error: 'No such resource: /nothing' });

    const wrongMethod = await call('put', '/workspaces');
    expect(wrongMethod.status).toBe(405);
    expect(wrongMethod.headers.allow).toBe('GET, POST');
    expect(Object.keys(wrongMethod.body)).toEqual(['error']);
  });

  it('checks permissions before it validates the request', async () => {
    const { call } = await startWorkspacePortal({
      features: [
        mockServices.permissions.factory({ result: AuthorizeResult.DENY }),
      ],
    });
    const answer = await call('post', '/workspaces').send({});
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({
      error: 'Permission ide-launcher.workspace.create is required',
    });
  });

  it('separates workspaces of service tokens', async () => {
    const { call, create } = await startWorkspacePortal();
    await create();
    const service = mockCredentials.service.header({
      onBehalfOf: mockCredentials.service('external:ci'),
      targetPluginId: 'ide-launcher',
    });
    expect((await call('get', '/workspaces', service)).body.total).toBe(0);
    const created = await create({}, service);
    expect(created.status).toBe(201);
    expect((await call('get', '/workspaces', service)).body.total).toBe(1);
  });

  it('starts nothing without isolation before an administrator accepts that', async () => {
    const { call, create } = await startWorkspacePortal({
      acceptUnisolated: false,
    });
    const refused = await create();
    expect(refused.status).toBe(403);
    expect(refused.body.error).toMatch(
      /without isolation.*group:default\/platform-admins.*POST \/api\/ide-launcher\/isolation\/consent/,
    );
    expect((await call('get', '/workspaces')).body.total).toBe(0);

    const service = mockCredentials.service.header({
      onBehalfOf: mockCredentials.service('ci'),
      targetPluginId: 'ide-launcher',
    });
    const byService = await call('post', '/isolation/consent', service);
    expect(byService.status).toBe(403);
    expect(byService.body.error).toContain('a service token cannot');

    const accepted = await call('post', '/isolation/consent');
    expect(accepted.status).toBe(200);
    expect(accepted.body.runtime.isolation.acceptance).toEqual({
      accepted: true,
      acceptedBy: 'user:default/ada',
      acceptedAt: expect.any(String),
    });
    const again = await call('post', '/isolation/consent', GRACE);
    expect(again.body.runtime.isolation.acceptance.acceptedBy).toBe(
      'user:default/ada',
    );
    expect((await create()).status).toBe(201);
  });

  it('allows only admins to accept that', async () => {
    const { call } = await startWorkspacePortal({
      acceptUnisolated: false,
      features: [
        mockServices.permissions.factory({ result: AuthorizeResult.DENY }),
      ],
    });
    expect((await call('post', '/isolation/consent')).status).toBe(403);
    expect((await call('get', '/isolation/consent')).status).toBe(405);
  });

  it.each(['production', 'development'])(
    'takes the yes of a configuration in %s only outside production',
    nodeEnv => {
      vi.stubEnv('NODE_ENV', nodeEnv);
      try {
        const config = mockServices.rootConfig({
          data: {
            app: { baseUrl: 'http://localhost:3000' },
            ideLauncher: { acceptUnisolated: true },
          },
        });
        expect(readIdeLauncherConfig(config).acceptUnisolated).toBe(
          nodeEnv === 'development',
        );
      } finally {
        vi.unstubAllEnvs();
      }
    },
  );
});

describe('shutdown', () => {
  it('ends the runtime while the times of use cannot be written', async () => {
    const { runtime, stop } = await startWorkspacePortal();
    // Removes the time limit: the flush ends only after the runtime, so they must not run in sequence.
    const timeout = vi
      .spyOn(AbortSignal, 'timeout')
      .mockReturnValue(new AbortController().signal);
    const ended = new Promise<void>(resolve => {
      vi.spyOn(runtime, 'shutdown').mockImplementation(async () => resolve());
    });
    const flush = vi
      .spyOn(IdleMonitor.prototype, 'flush')
      .mockReturnValue(ended);
    await stop();
    expect(runtime.shutdown).toHaveBeenCalledOnce();
    timeout.mockRestore();
    flush.mockRestore();
  });
});
