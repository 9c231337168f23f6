import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  coreServices,
  createBackendPlugin,
  createServiceFactory,
} from '@backstage/backend-plugin-api';
import {
  mockCredentials,
  mockServices,
  startTestBackend,
} from '@backstage/backend-test-utils';
import {
  AuthorizeResult,
  createPermission,
} from '@backstage/plugin-permission-common';
import {
  auditorFactory,
  contractHttpRouterFactory,
  createPermissionGuard,
  nameTarget,
} from '@slipway/portal-kit';
import { Router } from 'express';
import request from 'supertest';
import { administrationPlugin } from './plugin';

const ADA = mockCredentials.user.header('user:default/ada');
const GRACE = mockCredentials.user.header('user:default/grace');

/** Emits an event when a request for a drawer has arrived. */
const drawers = new EventEmitter();

const things = createBackendPlugin({
  pluginId: 'things',
  register(env) {
    env.registerInit({
      deps: {
        auditor: coreServices.auditor,
        httpAuth: coreServices.httpAuth,
        httpRouter: coreServices.httpRouter,
        permissions: coreServices.permissions,
      },
      async init({ auditor, httpRouter, ...access }) {
        const guard = createPermissionGuard(access);
        const admin = createPermission({
          name: 'things.admin.manage',
          attributes: {},
        });
        const use = createPermission({ name: 'things.use', attributes: {} });
        const router = Router();
        router.delete('/shelves/:id', guard(admin), (req, res) => {
          res.status(req.params.id === 'none' ? 404 : 204).end();
        });
        router.get('/shelves', guard(admin), (_req, res) => res.json([]));
        router.post('/shelves', guard(admin, 'Add a shelf'), (_req, res) =>
          res.json({}),
        );
        router.put('/shelves/:id', guard(admin, 'Move a shelf'), (req, res) => {
          if (req.params.id === 'left') {
            nameTarget(req, 'Left shelf');
          }
          res.json({});
        });
        router.put('/shelves', guard(admin, 'Sort all'), (req, res) => {
          nameTarget(req, null);
          res.json({});
        });
        router.delete(
          '/drawers/:id',
          guard(admin, 'Remove a drawer'),
          (_req, res) => {
            res.once('close', () => res.status(204).end());
            drawers.emit('asked');
          },
        );
        router.post('/wishes', guard(use), (_req, res) => res.json({}));
        router.post('/stock', async (req, res) => {
          const event = await auditor.createEvent({
            eventId: 'stock-mutate',
            severityLevel: 'medium',
            request: req,
            meta: { actionType: 'create', ref: 'stock:1' },
          });
          await event.success();
          res.json({});
        });
        httpRouter.use(router);
      },
    });
  },
});

/** Ada is an admin. */
const permissions = createServiceFactory({
  service: coreServices.permissions,
  deps: {},
  factory: () => ({
    authorize: async (requests, options) => {
      const { principal } = (options?.credentials ?? {}) as {
        principal?: { userEntityRef?: string };
      };
      return requests.map(({ permission }) => ({
        result:
          principal?.userEntityRef === 'user:default/ada' ||
          !permission.name.includes('.admin.')
            ? AuthorizeResult.ALLOW
            : AuthorizeResult.DENY,
      }));
    },
    authorizeConditional: async () => [],
  }),
});

async function start(
  services: Record<string, string> = {},
  config: Parameters<typeof mockServices.rootConfig.factory>[0] = {},
) {
  const { server } = await startTestBackend({
    features: [
      administrationPlugin,
      things,
      contractHttpRouterFactory,
      auditorFactory,
      permissions,
      mockServices.rootConfig.factory({
        data: {
          ...config.data,
          proxy: {
            endpoints: Object.fromEntries(
              Object.entries(services).map(([name, target]) => [
                `/${name}`,
                { target },
              ]),
            ),
          },
        },
      }),
    ],
  });
  const send = (
    method: 'get' | 'post' | 'put' | 'delete',
    path: string,
    authorization: string = ADA,
  ) =>
    request(server)[method](`/api${path}`).set('Authorization', authorization);
  return { send };
}

it('contains changes by admins in any plugin, and events of stock plugins', async () => {
  const { send } = await start();
  await send('delete', '/things/shelves/left').expect(204);
  await send('post', '/things/shelves').expect(200);
  await send('delete', '/things/shelves/none').expect(404);
  await send('get', '/things/shelves').expect(200);
  await send('post', '/things/wishes').expect(200);
  await send('delete', '/things/shelves/left', GRACE).expect(403);
  await send('post', '/things/stock').expect(200);
  await vi.waitFor(async () => {
    const { body } = await send('get', '/admin/audit');
    expect(body).toEqual({
      entries: [
        {
          id: expect.any(String),
          at: expect.any(String),
          by: 'user:default/ada',
          action: 'things stock-mutate create',
          target: 'stock:1',
        },
        expect.objectContaining({
          by: 'user:default/ada',
          action: 'Add a shelf',
          target: '/shelves',
        }),
        expect.objectContaining({
          by: 'user:default/ada',
          action: 'DELETE things',
          target: '/shelves/left',
        }),
      ],
      truncated: false,
    });
  });
  const { body } = await send('get', '/admin/audit?q=LEFT&limit=5');
  expect(body.entries).toHaveLength(1);
});

it('contains changes by admins who do not wait for the response', async () => {
  const { send } = await start();
  const asked = once(drawers, 'asked');
  const change = send('delete', '/things/drawers/top');
  change.end(() => {});
  await asked;
  change.abort();
  await vi.waitFor(async () => {
    const { body } = await send('get', '/admin/audit');
    expect(body.entries).toMatchObject([
      { by: 'user:default/ada', action: 'Remove a drawer', target: 'top' },
    ]);
  });
});

it('names what was changed as the route does, or by the parameters of its path', async () => {
  const { send } = await start();
  await send('put', '/things/shelves/top%20right').expect(200);
  await send('put', '/things/shelves/left').expect(200);
  await send('put', '/things/shelves').expect(200);
  await vi.waitFor(async () => {
    const { body } = await send('get', '/admin/audit');
    expect(body.entries).toMatchObject([
      { action: 'Sort all', target: null },
      { action: 'Move a shelf', target: 'Left shelf' },
      { action: 'Move a shelf', target: 'top right' },
    ]);
  });
});

it('is reserved for admins, and names the invalid parameter of a query', async () => {
  const { send } = await start();
  expect((await send('get', '/admin/audit', GRACE)).status).toBe(403);
  expect((await send('post', '/admin/audit')).status).toBe(405);
  for (const query of ['from=yesterday', 'limit=0', 'limit=501', 'q=a%00']) {
    const { status, text } = await send('get', `/admin/audit?${query}`);
    expect(status).toBe(400);
    expect(text).toContain(query.split('=')[0]);
  }
});

it('reads the health of all services', async () => {
  const answers: Record<string, [number, object]> = {
    '/health': [200, { status: 'ok', version: '1.2.3' }],
    '/ready': [
      503,
      { status: 'unavailable', checks: { db: true, engine: false } },
    ],
    '/below/health': [200, { status: 'ok', version: '1.2.4' }],
    '/below/ready': [200, { status: 'ready', checks: { db: true } }],
  };
  const service = createServer((req, res) => {
    const [status, body] = answers[req.url ?? ''] ?? [404, {}];
    res.writeHead(status).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo;
  const { send } = await start({
    flags: `http://127.0.0.1:${port}`,
    builds: 'http://127.0.0.1:9',
    shared: `http://127.0.0.1:${port}/below/`,
  });
  const { body } = await send('get', '/admin/health');
  expect(body).toEqual({
    parts: [
      {
        name: 'portal',
        state: 'up',
        version: expect.stringMatching(/^\d/),
        failing: [],
      },
      {
        name: 'flags',
        state: 'degraded',
        version: '1.2.3',
        failing: ['engine'],
      },
      { name: 'builds', state: 'down', version: null, failing: [] },
      { name: 'shared', state: 'up', version: '1.2.4', failing: [] },
    ],
  });
  expect((await send('get', '/admin/health', GRACE)).status).toBe(403);
  service.close();
});

it('has the tokens and integrations of the configuration, but no secret', async () => {
  const secret = 'never-to-be-shown-anywhere';
  const { send } = await start(
    {},
    {
      data: {
        slipway: { adminGroups: ['group:default/operators'] },
        backend: {
          auth: {
            externalAccess: [
              { type: 'static', options: { token: secret, subject: 'ci' } },
              {
                type: 'static',
                options: { token: `${secret}2`, subject: 'metrics' },
                accessRestrictions: [
                  {
                    plugin: 'catalog',
                    permissionAttribute: { action: 'read' },
                  },
                  { plugin: 'delivery-lake', permission: ['events.ingest'] },
                  { plugin: 'notifications' },
                ],
              },
            ],
          },
        },
        integrations: {
          github: [{ host: 'github.com', token: secret }],
          gitlab: [{ host: 'gitlab.com' }],
        },
      },
    },
  );
  const { status, body, text } = await send('get', '/admin/administration');
  expect(status).toBe(200);
  expect(text).not.toContain(secret);
  expect(body.tokens).toMatchObject([
    { kind: 'service-token', name: 'ci', scopes: [], configured: true },
    {
      kind: 'service-token',
      name: 'metrics',
      scopes: ['catalog: read', 'events.ingest', 'notifications'],
    },
    { kind: 'outgoing', name: 'Catalog and devfiles from github.com' },
  ]);
  expect(body.roles[0]).toMatchObject({
    groups: ['group:default/operators'],
    may: expect.arrayContaining(['catalog.entity.delete']),
    key: 'slipway.adminGroups',
  });
  expect((await send('get', '/admin/administration', GRACE)).status).toBe(403);
  const nobody = mockCredentials.none.header();
  expect((await send('get', '/admin/administration', nobody)).status).toBe(401);
});
