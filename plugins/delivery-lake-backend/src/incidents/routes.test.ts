import {
  coreServices,
  createServiceFactory,
} from '@backstage/backend-plugin-api';
import {
  mockCredentials,
  mockServices,
  startTestBackend,
} from '@backstage/backend-test-utils';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import { contractHttpRouterFactory } from '@slipway/portal-kit';
import request from 'supertest';
import { deliveryLakePlugin } from '../plugin';

const ADA = mockCredentials.user.header('user:default/ada');
const CI = mockCredentials.service.header({
  onBehalfOf: mockCredentials.service('external:ci'),
  targetPluginId: 'delivery-lake',
});
const TEAM = 'group:default/payments';

const shop = {
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'Component',
  metadata: { name: 'shop', namespace: 'default' },
  spec: { type: 'service', lifecycle: 'production', owner: TEAM },
  relations: [{ type: 'ownedBy', targetRef: TEAM }],
};

/** Starts a lake with one open incident. Everyone may read; there are no admins. */
async function start(options: { groups: string[] }) {
  const { server } = await startTestBackend({
    features: [
      deliveryLakePlugin,
      contractHttpRouterFactory,
      catalogServiceMock.factory({ entities: [shop] }),
      mockServices.rootConfig.factory({ data: { deliveryLake: {} } }),
      createServiceFactory({
        service: coreServices.userInfo,
        deps: {},
        factory: () => ({
          getUserInfo: async () => ({
            userEntityRef: 'user:default/ada',
            ownershipEntityRefs: options.groups,
          }),
        }),
      }),
      createServiceFactory({
        service: coreServices.permissions,
        deps: {},
        factory: () => ({
          authorize: async requests =>
            requests.map(({ permission }) => ({
              result: permission.name.includes('.admin.')
                ? AuthorizeResult.DENY
                : AuthorizeResult.ALLOW,
            })),
          authorizeConditional: async () => [],
        }),
      }),
    ],
  });
  const ask = (
    method: 'get' | 'put' | 'delete' | 'post',
    path: string,
    authorization: string = ADA,
  ) =>
    request(server)
      [method](`/api/delivery-lake${path}`)
      .set('Authorization', authorization);
  const send = (incident: object) =>
    ask('post', '/incidents', CI)
      .send({
        id: 'INC-1',
        service: 'shop',
        title: 'Down',
        startedAt: new Date(Date.now() - 3_600_000).toISOString(),
        ...incident,
      })
      .expect(200);
  await send({});
  const id = await vi.waitFor(
    async () => {
      const { body } = await ask('get', '/incidents');
      expect(body.incidents[0]).toMatchObject({ team: 'payments' });
      return body.incidents[0].id as string;
    },
    { timeout: 10_000, interval: 100 },
  );
  return { ask, send, id };
}

it('resolves and reopens an incident for an owner of its service', async () => {
  const { ask, id } = await start({ groups: [TEAM] });
  const open = await ask('get', `/incidents/${id}`);
  expect(open.body).toMatchObject({ id, title: 'Down', resolvedAt: null });

  const resolved = await ask('put', `/incidents/${id}/resolution`);
  expect(resolved.status).toBe(200);
  expect(resolved.body).toMatchObject({ id, resolvedAt: expect.any(String) });
  const again = await ask('put', `/incidents/${id}/resolution`);
  expect(again.body).toEqual(resolved.body);
  const { body } = await ask('get', '/incidents?open=true');
  expect(body.incidents).toEqual([]);

  const reopened = await ask('delete', `/incidents/${id}/resolution`);
  expect(reopened.body).toEqual(open.body);
});

it('accepts later events of the tool', async () => {
  const { ask, send, id } = await start({ groups: [TEAM] });
  await ask('put', `/incidents/${id}/resolution`).expect(200);
  const resolvedAt = new Date(Date.now() - 600_000).toISOString();
  await send({ resolvedAt, occurredAt: new Date().toISOString() });
  const { body } = await ask('get', `/incidents/${id}`);
  expect(body.resolvedAt).toBe(resolvedAt);
});

it('rejects other callers, unknown incidents and other methods', async () => {
  const { ask, id } = await start({ groups: ['group:default/search'] });
  const refused = await ask('put', `/incidents/${id}/resolution`);
  expect(refused.status).toBe(403);
  expect(refused.body.error).toContain('Only owners of the service');
  const nobody = mockCredentials.none.header();
  expect((await ask('delete', `/incidents/${id}/resolution`)).status).toBe(403);
  const path = `/incidents/${id}/resolution`;
  expect((await ask('put', path, nobody)).status).toBe(401);
  expect((await ask('get', path)).status).toBe(405);
  for (const other of ['incident-none', 'x']) {
    expect((await ask('get', `/incidents/${other}`)).status).toBe(404);
    expect((await ask('put', `/incidents/${other}/resolution`)).status).toBe(
      404,
    );
  }
});
