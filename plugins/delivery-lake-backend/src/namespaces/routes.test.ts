import {
  coreServices,
  createBackendPlugin,
} from '@backstage/backend-plugin-api';
import { mockServices, startTestBackend } from '@backstage/backend-test-utils';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import { contractHttpRouterFactory } from '@slipway/portal-kit';
import request from 'supertest';
import { createNamespaceRoutes } from './routes';

const forgotten: string[] = [];

const namespacesOnly = createBackendPlugin({
  pluginId: 'delivery-lake',
  register(env) {
    env.registerInit({
      deps: {
        httpAuth: coreServices.httpAuth,
        httpRouter: coreServices.httpRouter,
        permissions: coreServices.permissions,
      },
      async init({ httpRouter, ...auth }) {
        const service = {
          async forget(namespace: string) {
            forgotten.push(namespace);
            return { services: 2, records: 7 };
          },
        };
        httpRouter.use(createNamespaceRoutes({ ...auth, service }));
      },
    });
  },
});

async function start(result: AuthorizeResult = AuthorizeResult.ALLOW) {
  const { server } = await startTestBackend({
    features: [
      namespacesOnly,
      contractHttpRouterFactory,
      mockServices.permissions.factory({
        result: result as AuthorizeResult.ALLOW,
      }),
    ],
  });
  return request(server);
}

it('returns how much it deleted', async () => {
  const api = await start();
  const { status, body } = await api.delete(
    '/api/delivery-lake/namespaces/demo',
  );
  expect({ status, body }).toEqual({
    status: 200,
    body: { services: 2, records: 7 },
  });
  expect(forgotten).toEqual(['demo']);
});

it.each(['Demo', '-x', 'a%25'])('answers 400 to %s', async namespace => {
  const api = await start();
  const answer = await api.delete(`/api/delivery-lake/namespaces/${namespace}`);
  expect(answer.status).toBe(400);
  expect(answer.body.error).toContain('namespace: must be a namespace');
});

it('responds 403 without the permission, and 405 to other methods', async () => {
  const api = await start(AuthorizeResult.DENY);
  const path = '/api/delivery-lake/namespaces/demo';
  expect((await api.delete(path)).status).toBe(403);
  expect((await api.get(path)).status).toBe(405);
});
