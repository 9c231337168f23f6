import { catalogServiceRef } from '@backstage/plugin-catalog-node';
import { createServiceFactory } from '@backstage/backend-plugin-api';
import { mockServices, startTestBackend } from '@backstage/backend-test-utils';
import authPlugin from '@backstage/plugin-auth-backend';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import request from 'supertest';
import { authModuleDevProvider } from './module';

const ada = {
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'User',
  metadata: { name: 'ada', namespace: 'default' },
  spec: {
    memberOf: ['platform-admins'],
    profile: { displayName: 'Ada', email: 'ada@example.org' },
  },
  relations: [{ type: 'memberOf', targetRef: 'group:default/platform-admins' }],
};

async function start() {
  const { server } = await startTestBackend({
    features: [
      authPlugin,
      authModuleDevProvider,
      createServiceFactory({
        service: catalogServiceRef,
        deps: {},
        factory: () => catalogServiceMock({ entities: [ada] }),
      }),
      mockServices.rootConfig.factory({
        data: {
          app: { baseUrl: 'http://localhost:3000' },
          backend: { baseUrl: 'http://localhost:7007' },
          auth: { providers: { dev: {} } },
        },
      }),
    ],
  });
  return request(server);
}

describe('the dev auth provider', () => {
  it('answers the usual session of a catalog user', async () => {
    const answer = await (await start()).get('/api/auth/dev/refresh?user=ada');

    expect(answer.status).toBe(200);
    expect(answer.body.profile).toEqual({
      displayName: 'Ada',
      email: 'ada@example.org',
    });
    expect(answer.body.backstageIdentity.identity).toEqual({
      type: 'user',
      userEntityRef: 'user:default/ada',
      ownershipEntityRefs: expect.arrayContaining([
        'user:default/ada',
        'group:default/platform-admins',
      ]),
    });
    expect(answer.body.backstageIdentity.token.split('.')).toHaveLength(3);
  });

  it.each(['', '?user=', '?user=../ada', '?user=a&user=b'])(
    'answers 400 to %j',
    async query => {
      const answer = await (await start()).get(`/api/auth/dev/refresh${query}`);
      expect(answer.status).toBe(400);
      expect(answer.body.error.message).toContain('user must be the name');
    },
  );

  it('does not start in production', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    await expect(start()).rejects.toThrow('does not run with NODE_ENV');
    vi.unstubAllEnvs();
  });
});
