import type { TimelineItem } from '@slipway/entity-contract';
import { Type } from 'typebox';
import { groupCErrors } from '../errors/ErrorFormat.ts';
import type { Service } from '../service/createService.ts';
import { defineService } from '../service/ServiceKit.ts';
import { FakePortal } from '../testing/FakePortal.ts';
import { startTestService } from '../testing/startTestService.ts';
import { type EntityPart, entityRoutes } from './entityRoutes.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');

const component = (name: string, owner: string, job: string) => ({
  kind: 'Component',
  metadata: { name, annotations: { 'example.org/job': job } },
  relations: [
    { type: 'ownedBy', targetRef: owner },
    { type: 'partOf', targetRef: 'system:default/market' },
  ],
});

let portal: FakePortal;
let service: Service;
let asked: { scope: unknown; query?: unknown }[];
let now: number;
let items: TimelineItem[];

beforeEach(async () => {
  now = NOW;
  asked = [];
  items = [];
  portal = await FakePortal.start({
    groups: { 'user:default/grace': ['group:default/payments'] },
  });
  portal.entities = [
    component('shop', 'group:default/payments', 'shop-build'),
    component('till', 'group:default/payments', 'till-build'),
    component('map', 'group:default/search', 'map-build'),
    { kind: 'Group', metadata: { name: 'payments' } },
    { kind: 'System', metadata: { name: 'market' } },
  ];
  const part: EntityPart = {
    async summary(scope) {
      asked.push({ scope });
      return { state: 'good', facts: [], needs: [] };
    },
    async timeline(scope, query) {
      asked.push({ scope, query });
      return items;
    },
  };
  service = await startTestService(
    defineService({
      name: 'example',
      title: 'Example',
      configKey: 'example',
      configSchema: Type.Object({}),
      defaults: { port: 0, perMinute: 100 },
      errors: groupCErrors,
      setUp({ app, auth, portal: { baseUrl } }) {
        entityRoutes(app, {
          access: auth.portalUser(),
          part,
          portal: { baseUrl, token: 'service-token' },
          now: () => now,
        });
      },
    }),
    { config: { portal: { baseUrl: portal.baseUrl } } },
  );
});

afterEach(async () => {
  await service.stop();
  await portal.stop();
});

async function get(ref: string, rest: string, user = 'user:default/grace') {
  const response = await service.app.inject({
    url: `/api/v1/entities/${encodeURIComponent(ref)}/${rest}`,
    headers: { cookie: await portal.cookie(user) },
  });
  return { status: response.statusCode, body: response.json() };
}

it.each([
  ['component:default/shop', 'component', ['shop']],
  ['component:Shop', 'component', ['shop']],
  ['system:default/market', 'system', ['shop', 'till', 'map']],
  ['group:default/payments', 'group', ['shop', 'till']],
  ['user:default/grace', 'user', ['shop', 'till']],
])('passes the scope of %s to the part', async (ref, kind, names) => {
  const { status, body } = await get(ref, 'summary');
  expect({ status, body }).toEqual({
    status: 200,
    body: { state: 'good', facts: [], needs: [] },
  });
  expect(asked).toEqual([
    {
      scope: expect.objectContaining({
        kind,
        components: names.map(name =>
          expect.objectContaining({
            ref: `component:default/${name}`,
            annotations: { 'example.org/job': `${name}-build` },
          }),
        ),
        teams: kind === 'system' ? [] : ['group:default/payments'],
        truncated: false,
      }),
    },
  ]);
});

it('reads the catalog again when the clock was set back', async () => {
  await get('component:default/shop', 'summary');
  portal.entities = [];
  expect((await get('component:default/shop', 'summary')).status).toBe(200);
  now -= 3_600_000;
  expect((await get('component:default/shop', 'summary')).status).toBe(404);
});

it('sums up a hundred components and reports that there are more', async () => {
  portal.entities = [
    { kind: 'Group', metadata: { name: 'payments' } },
    ...Array.from({ length: 101 }, (_, index) =>
      component(`c${index}`, 'group:default/payments', 'x'),
    ),
  ];
  const { body } = await get('group:default/payments', 'summary');
  expect(body.truncated).toBe(true);
  const [{ scope }] = asked as [
    { scope: { components: unknown[]; truncated: boolean } },
  ];
  expect(scope.components).toHaveLength(100);
  expect(scope.truncated).toBe(true);
});

it('covers more components of a user, whose inbox should miss none', async () => {
  portal.entities = Array.from({ length: 101 }, (_, index) =>
    component(`c${index}`, 'group:default/payments', 'x'),
  );
  const { body } = await get('user:default/grace', 'summary');
  expect(body).not.toHaveProperty('truncated');
  const [{ scope }] = asked as [{ scope: { components: unknown[] } }];
  expect(scope.components).toHaveLength(101);
});

it('returns the requested kinds, newest first, each item once', async () => {
  const item = (id: string, at: string, kind: TimelineItem['kind']) => ({
    id,
    kind,
    at,
    title: id,
    neighbours: [],
  });
  items = [
    item('old', '2026-11-01T00:00:00Z', 'build'),
    item('new', '2026-11-20T00:00:00Z', 'build'),
    item('new', '2026-11-20T00:00:00Z', 'build'),
    item('flag', '2026-11-21T00:00:00Z', 'flag'),
  ];
  const { body } = await get(
    'component:default/shop',
    'timeline?kind=build,incident&limit=1&from=2026-10-01&to=2026-11-22T00:00:00Z',
  );
  expect(body).toEqual({ items: [items[1]], truncated: true });
  expect(asked[0].query).toEqual({
    from: Date.parse('2026-10-01'),
    to: Date.parse('2026-11-22'),
    kinds: new Set(['build', 'incident']),
    limit: 1,
  });
});

it('shortens the texts of items, which others choose', async () => {
  const long = 'x'.repeat(300);
  const page = '/builds/shop/1';
  items = [
    {
      id: 'commit:1',
      kind: 'commit',
      at: '2026-11-20T00:00:00Z',
      title: `${long}\n\nMore`,
      by: long,
      page,
      neighbours: [{ kind: 'build', title: long, page }],
    },
  ];
  const { body } = await get(
    'component:default/shop',
    'timeline?to=2026-11-22',
  );
  const short = `${'x'.repeat(199)}…`;
  expect(body.items).toEqual([
    {
      ...items[0],
      title: short,
      by: short,
      neighbours: [{ kind: 'build', title: short, page }],
    },
  ]);
});

it.each([
  ['kind=storm', 'kind'],
  ['from=yesterday', 'from'],
  ['from=2026-11-23', 'from'],
  ['from=2020-01-01', 'from'],
  ['limit=0', 'limit'],
  ['limit=201', 'limit'],
])('rejects a timeline of %s', async (query, field) => {
  const { status, body } = await get(
    'component:default/shop',
    `timeline?${query}`,
  );
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain(field);
  expect(asked).toEqual([]);
});

it('rejects invalid references and unsupported kinds', async () => {
  for (const ref of ['shop', 'api:default/x', 'component:a/b/c']) {
    expect((await get(ref, 'summary')).status).toBe(400);
  }
});

it('responds with 404 for entities that are not in the catalog', async () => {
  expect((await get('component:default/nothing', 'summary')).status).toBe(404);
});

it("does not reveal another user's data", async () => {
  portal.entities = [];
  const { status } = await get('user:default/ada', 'summary');
  expect(status).toBe(403);
  expect(asked).toEqual([]);
});

it('reports that the catalog is not responding', async () => {
  // Authenticates before the portal goes down: the session is cached for a few seconds.
  await get('component:default/shop', 'summary');
  portal.down = true;
  const { status, body } = await get('component:default/till', 'summary');
  expect(status).toBe(503);
  expect(JSON.stringify(body)).toContain('The catalog is not responding');
});

it('queries the catalog once for two requests of a page', async () => {
  await Promise.all([
    get('component:default/shop', 'summary'),
    get('component:default/shop', 'timeline'),
  ]);
  expect(
    portal.requests.filter(request => request.includes('/by-name/')),
  ).toHaveLength(1);
});
