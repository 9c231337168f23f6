import { once } from 'node:events';
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
import { catalogServiceRef } from '@backstage/plugin-catalog-node';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import { notificationService } from '@backstage/plugin-notifications-node';
import { json, Router } from 'express';
import { createLocalJWKSet, jwtVerify } from 'jose';
import request from 'supertest';
import { serviceProxyPlugin } from '../serviceProxy/plugin';
import { inboxPlugin } from './plugin';

const GRACE = 'user:default/grace';
const USER = mockCredentials.user.header(GRACE);
const OTHER = mockCredentials.user.header('user:default/lin');

const need = {
  key: 'build:team/shop#3',
  kind: 'build-failed',
  title: 'shop #3 failed',
  at: '2026-11-20T12:00:00.000Z',
  tone: 'bad',
  page: '/builds/shop/3',
  action: 'View build',
};

/** The responses of the companion service, and the requests that it received. */
const service = {
  needs: [need] as object[],
  items: [] as object[],
  more: {} as object,
  requests: [] as { url?: string; token: string }[],
  server: createServer((req, res) => {
    const token = req.headers.authorization!.slice(7);
    service.requests.push({ url: req.url, token });
    res.setHeader('content-type', 'application/json');
    res.end(
      JSON.stringify(
        req.url!.includes('/timeline')
          ? { items: service.items, truncated: false }
          : {
              ...{ state: 'bad', facts: [], needs: service.needs },
              ...service.more,
            },
      ),
    );
  }),
};

/** Calls to a portal plugin, which fails, and to the notifications plugin. */
const calls: { path: string; caller: string; body?: unknown }[] = [];

function recordingPlugin(pluginId: string, answer: (path: string) => object) {
  return createBackendPlugin({
    pluginId,
    register(env) {
      env.registerInit({
        deps: {
          httpAuth: coreServices.httpAuth,
          httpRouter: coreServices.httpRouter,
        },
        async init({ httpAuth, httpRouter }) {
          const router = Router();
          router.use(json(), async (req, res) => {
            const { principal } = await httpAuth.credentials(req, {
              allow: ['user'],
            });
            const { path, body } = req;
            calls.push({ path, caller: principal.userEntityRef, body });
            res.json(answer(path));
          });
          httpRouter.use(router);
        },
      });
    },
  });
}

let send: (
  method: 'get' | 'put' | 'delete' | 'post',
  path: string,
  authorization?: string,
) => request.Test;

beforeAll(async () => {
  service.server.listen(0, '127.0.0.1');
  await once(service.server, 'listening');
  const { port } = service.server.address() as AddressInfo;
  const notifications = [
    { id: 'a', origin: 'plugin:inbox', payload: { scope: need.key } },
    { id: 'b', origin: 'feedback', payload: { scope: need.key } },
    { id: 'c', origin: 'plugin:inbox', payload: { scope: null } },
    { id: 'd', origin: 'plugin:ide-launcher', payload: { scope: 'w-1' } },
    {
      id: 'e',
      origin: 'plugin:inbox',
      payload: { scope: 'component:demo/cart build:cart#1' },
    },
  ];
  const { server } = await startTestBackend({
    features: [
      inboxPlugin,
      serviceProxyPlugin,
      recordingPlugin('delivery-lake', () => ({ needs: 'none' })),
      recordingPlugin('notifications', path =>
        path.endsWith('/update') ? [] : { notifications },
      ),
      mockServices.rootConfig.factory({
        data: {
          backend: { baseUrl: 'http://localhost:7007' },
          proxy: {
            endpoints: {
              '/build-server': { target: `http://127.0.0.1:${port}` },
            },
          },
          inbox: {
            parts: [
              { title: 'Builds', service: 'build-server' },
              { title: 'Delivery', plugin: 'delivery-lake' },
              { title: 'Flags', service: 'feature-flags' },
            ],
          },
        },
      }),
      createServiceFactory({
        service: catalogServiceRef,
        deps: {},
        factory: () => catalogServiceMock({ entities: [] }),
      }),
      createServiceFactory({
        service: notificationService,
        deps: {},
        factory: () => ({ send: async () => {} }),
      }),
      createServiceFactory({
        service: coreServices.userInfo,
        deps: {},
        factory: () => ({
          getUserInfo: async credentials => ({
            userEntityRef: (credentials.principal as { userEntityRef: string })
              .userEntityRef,
            ownershipEntityRefs: [GRACE, 'group:default/payments'],
          }),
        }),
      }),
    ],
  });
  send = (method, path, authorization = USER) =>
    request(server)[method](`/api${path}`).set('Authorization', authorization);
});

beforeEach(() => {
  service.needs = [need];
  service.more = {};
  service.requests.length = 0;
  calls.length = 0;
});

afterAll(() => {
  service.server.close();
});

const aside = `/inbox/items/${encodeURIComponent(need.key)}/aside`;

it('lists the items of all parts, and names those that do not respond', async () => {
  const { status, body } = await send('get', '/inbox/items');
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      items: [{ ...need, aside: null }],
      missing: ['Delivery', 'Flags'],
      incomplete: [],
    },
  });
  const [{ url, token }] = service.requests;
  expect(url).toBe('/api/v1/entities/user%3Adefault%2Fgrace/summary');
  const keys = await send('get', '/proxy/.well-known/jwks.json');
  const { payload } = await jwtVerify(token, createLocalJWKSet(keys.body));
  expect(payload).toMatchObject({
    sub: GRACE,
    aud: 'build-server',
    ent: [GRACE, 'group:default/payments'],
  });
  expect(payload.exp! - payload.iat!).toBe(60);
  expect(calls).toEqual([
    expect.objectContaining({
      path: `/entities/${encodeURIComponent(GRACE)}/summary`,
      caller: GRACE,
    }),
  ]);
});

it('tells admins when each user last opened it', async () => {
  const before = Date.now();
  await send('get', '/inbox/items');
  const { status, body } = await send('get', '/inbox/visits');
  expect(status).toBe(200);
  expect(body).toEqual({ visits: [{ user: GRACE, at: expect.any(String) }] });
  expect(Date.parse(body.visits[0].at)).toBeGreaterThanOrEqual(before);
});

it('lists builds of branches with long names', async () => {
  const key = `build:shop/${'b'.repeat(250)}#3`;
  service.needs = [{ ...need, key }];
  const { body } = await send('get', '/inbox/items');
  expect(body.items).toMatchObject([{ key }]);
});

it('accepts no links to other sites from a part', async () => {
  service.needs = [{ ...need, page: '//example.org' }];
  const { body } = await send('get', '/inbox/items');
  expect(body).toEqual({
    items: [],
    missing: ['Builds', 'Delivery', 'Flags'],
    incomplete: [],
  });
});

it.each(['moreNeeds', 'truncated'])(
  'lists a hundred items of a part, and names it if it has more: %s',
  async more => {
    service.needs = Array.from({ length: 100 }, (_, index) => ({
      ...need,
      key: `build:shop#${index}`,
    }));
    const complete = await send('get', '/inbox/items');
    expect(complete.body.items).toHaveLength(100);
    expect(complete.body.incomplete).toEqual([]);
    service.more = { [more]: true };
    const { body } = await send('get', '/inbox/items');
    expect(body.incomplete).toEqual(['Builds']);
  },
);

it('lists what happened, newest first, and names the parts that do not respond', async () => {
  const item = (id: string, at: string) => ({
    ...{ id, kind: 'build', at, title: id, page: `/builds/${id}` },
    entityRef: 'component:default/shop',
  });
  service.items = [
    { ...item('shop/2', '2026-11-20T12:00:00Z'), neighbours: [] },
    { ...item('shop/3', '2026-11-20T13:00:00Z'), neighbours: [] },
  ];
  const { status, body } = await send('get', '/inbox/activity');
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      items: [
        item('shop/3', '2026-11-20T13:00:00Z'),
        item('shop/2', '2026-11-20T12:00:00Z'),
      ],
      missing: ['Delivery', 'Flags'],
    },
  });
  expect(service.requests[0].url).toBe(
    '/api/v1/entities/user%3Adefault%2Fgrace/timeline?limit=40&kind=build,deployment,flag,incident,feedback,workspace',
  );

  service.items = [
    { ...item('x', '2026-11-20T12:00:00Z'), page: '//example.org' },
  ];
  expect((await send('get', '/inbox/activity')).body).toEqual({
    items: [],
    missing: ['Builds', 'Delivery', 'Flags'],
  });
});

it('checks first steps as the user, and rejects others', async () => {
  const read = (steps: string) => send('get', `/inbox/first-steps?${steps}`);
  const { status, body } = await read('steps=build,connect');
  expect({ status, body }).toEqual({
    status: 200,
    body: { steps: { build: null, connect: null } },
  });
  expect(service.requests[0].url).toBe(
    '/api/json?tree=jobs[name,lastBuild[number]]',
  );
  expect(calls).toEqual([
    expect.objectContaining({ path: '/status', caller: GRACE }),
  ]);
  for (const steps of ['', 'steps=', 'steps=build,party', 'steps[]=build']) {
    expect((await read(steps)).status).toBe(400);
  }
});

it('marks an item as done, with its notification, and moves it back', async () => {
  await send('get', '/inbox/items');
  calls.length = 0;
  const done = await send('put', aside).send({ state: 'done' });
  expect(done).toMatchObject({
    status: 200,
    body: { state: 'done', until: null },
  });
  expect(calls).toEqual([
    expect.objectContaining({ path: '/notifications', caller: GRACE }),
    {
      path: '/notifications/update',
      caller: GRACE,
      body: { ids: ['a'], read: true },
    },
  ]);
  const listed = await send('get', '/inbox/items');
  expect(listed.body.items[0].aside).toEqual({ state: 'done', until: null });
  expect((await send('delete', aside)).status).toBe(204);
  const again = await send('get', '/inbox/items');
  expect(again.body.items[0].aside).toBeNull();
});

it('also marks the notification that the part sent itself, and one that names what it is about', async () => {
  service.needs = [
    { ...need, key: 'failed:w-1', notified: true, scope: 'w-1' },
  ];
  const { body } = await send('get', '/inbox/items');
  expect(body.items).toEqual([{ ...need, key: 'failed:w-1', aside: null }]);
  await send('put', '/inbox/items/failed%3Aw-1/aside')
    .send({ state: 'done' })
    .expect(200);
  service.needs = [
    { ...need, key: 'build:cart#1', entityRef: 'component:demo/cart' },
  ];
  await send('get', '/inbox/items');
  await send('put', '/inbox/items/build%3Acart%231/aside')
    .send({ state: 'done' })
    .expect(200);
  expect(calls.filter(({ path }) => path.endsWith('/update'))).toEqual([
    expect.objectContaining({ body: { ids: ['d'], read: true } }),
    expect.objectContaining({ body: { ids: ['e'], read: true } }),
  ]);
});

it('forgets the items of a namespace, even those that are done', async () => {
  service.needs = [
    { ...need, key: 'a', entityRef: 'component:x_y/shop' },
    { ...need, key: 'b', entityRef: 'group:x_y/team' },
    { ...need, key: 'c', entityRef: 'component:xzy/shop' },
    { ...need, key: 'd' },
  ];
  await send('get', '/inbox/items');
  await send('put', '/inbox/items/a/aside').send({ state: 'done' });
  const { status, body } = await send('delete', '/inbox/namespaces/x_y');
  expect({ status, body }).toEqual({
    status: 200,
    body: { items: 2, notifications: 0 },
  });
  const statuses = await Promise.all(
    ['a', 'b', 'c', 'd'].map(
      async key => (await send('delete', `/inbox/items/${key}/aside`)).status,
    ),
  );
  expect(statuses).toEqual([404, 404, 204, 204]);
  const wrong = await send('delete', '/inbox/namespaces/Demo');
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain('namespace: must be a namespace');
});

it('lists an item even if its part names something too long as what it is about', async () => {
  const long = `component:demo/${'x'.repeat(200)}`;
  service.needs = [{ ...need, key: 'long', entityRef: long }];
  const { body } = await send('get', '/inbox/items');
  expect(body.items).toEqual([{ ...need, key: 'long', aside: null }]);
});

it('snoozes an item until a time', async () => {
  await send('get', '/inbox/items');
  const until = '2099-01-02T09:00:00.000Z';
  await send('put', aside).send({ state: 'snoozed', until }).expect(200);
  const { body } = await send('get', '/inbox/items');
  expect(body.items[0].aside).toEqual({ state: 'snoozed', until });
  await send('put', aside)
    .send({ state: 'snoozed', until: '2026-01-01T00:00:00+01:00' })
    .expect(200);
  const later = await send('get', '/inbox/items');
  expect(later.body.items[0].aside).toBeNull();
});

it('is personal: other users neither see nor change it', async () => {
  await send('get', '/inbox/items');
  expect((await send('put', aside, OTHER).send({ state: 'done' })).status).toBe(
    404,
  );
  expect((await send('delete', aside, OTHER)).status).toBe(404);
  const unknown = '/inbox/items/unknown/aside';
  const { status, text } = await send('put', unknown).send({ state: 'done' });
  expect(status).toBe(404);
  expect(text).toContain('unknown');
});

it.each([
  [{}, 'state'],
  [{ state: 'gone' }, 'state'],
  [{ state: 'snoozed' }, 'until'],
  [{ state: 'snoozed', until: 'tomorrow' }, 'until'],
  [{ state: 'done', until: '2099-01-01T00:00:00Z' }, 'until'],
])('rejects %o, naming %s', async (body, field) => {
  const { status, text } = await send('put', aside).send(body);
  expect(status).toBe(400);
  expect(text).toContain(field);
});

it.each(['put', 'delete'] as const)(
  'rejects a %s with a key that not every database can compare',
  async method => {
    const path = '/inbox/items/a%00b/aside';
    const { status, text } = await send(method, path).send({ state: 'done' });
    expect(status).toBe(400);
    expect(text).toContain('key');
  },
);

it('is for users only, before anything else is checked', async () => {
  for (const [method, path] of [
    ['get', '/inbox/items'],
    ['get', '/inbox/first-steps'],
    ['put', aside],
    ['delete', aside],
  ] as const) {
    const asService = mockCredentials.service.header();
    expect((await send(method, path, 'Bearer wrong')).status).toBe(401);
    expect((await send(method, path, asService)).status).toBe(403);
    expect((await send('post', path)).status).toBe(405);
  }
});
