import type { Service } from '@slipway/service-kit';
import { FakePortal } from '@slipway/service-kit/testing';
import { startAnalytics } from '../__testUtils__/startAnalytics.ts';

const GROUPS = {
  'user:default/ada': ['group:default/platform-admins'],
  'user:default/lin': ['group:default/research'],
  'user:default/grace': ['group:default/research'],
  'user:default/joan': ['group:default/payments'],
};
const FUNNEL = {
  kind: 'FunnelsQuery',
  series: [
    { kind: 'EventsNode', event: 'opened' },
    { kind: 'EventsNode', event: 'bought' },
  ],
};

describe('insights and dashboards', () => {
  let portal: FakePortal;
  let service: Service;
  let sessions: Record<string, Record<string, string>>;

  beforeAll(async () => {
    portal = await FakePortal.start({ groups: GROUPS });
    sessions = Object.fromEntries(
      await Promise.all(
        ['ada', 'lin', 'grace', 'joan'].map(async name => {
          const token = await portal.token(`user:default/${name}`);
          return [name, { authorization: `Bearer ${token}` }] as const;
        }),
      ),
    );
    service = await startAnalytics({
      config: {
        portal: { baseUrl: portal.baseUrl },
        projects: [
          { id: 'shop', name: 'Shop', readers: ['group:default/research'] },
        ],
      },
    });
  });

  afterAll(async () => {
    await service.stop();
    await portal.stop();
  });

  const ask = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    options: {
      as?: string;
      payload?: object;
      headers?: Record<string, string>;
    } = {},
  ) => {
    const { as = 'lin', payload, headers } = options;
    const response = await service.app.inject({
      method,
      url: `/api/projects/shop/${path}`,
      headers: { ...sessions[as], ...headers },
      payload,
    });
    return {
      status: response.statusCode,
      body: response.json(),
      etag: String(response.headers.etag),
    };
  };

  it('are saved, read by others, changed by their authors and by admins', async () => {
    const payload = { name: ' Sales ', query: FUNNEL };
    const made = await ask('POST', 'insights', { payload });
    expect(made).toMatchObject({
      status: 201,
      body: {
        name: 'Sales',
        query: FUNNEL,
        created_by: 'user:default/lin',
        may_change: true,
      },
    });
    const path = `insights/${made.body.id}`;
    const read = await ask('GET', path, { as: 'grace' });
    expect(read).toMatchObject({
      status: 200,
      body: { query: FUNNEL, may_change: false },
    });
    const renamed = { ...payload, name: 'Purchases' };
    expect(
      (await ask('PUT', path, { as: 'grace', payload: renamed })).status,
    ).toBe(403);
    const changed = await ask('PUT', path, {
      as: 'ada',
      payload: renamed,
      // A proxy that compresses responses makes the tag weak.
      headers: { 'if-match': `W/${read.etag}` },
    });
    expect(changed).toMatchObject({ status: 200, body: { version: 2 } });
    const late = { 'if-match': read.etag };
    expect(
      (await ask('PUT', path, { payload: renamed, headers: late })).status,
    ).toBe(412);
    expect((await ask('DELETE', path, { headers: late })).status).toBe(412);
    const list = await ask('GET', 'insights', { as: 'grace' });
    expect(list.body.insights).toMatchObject([
      { id: made.body.id, name: 'Purchases' },
    ]);
    expect((await ask('DELETE', path)).status).toBe(200);
    expect((await ask('GET', path)).status).toBe(404);
  });

  it('are saved without the node in which users of PostHog copy them', async () => {
    const query = {
      kind: 'InsightVizNode',
      source: FUNNEL,
      full: true,
    };
    const made = await ask('POST', 'insights', {
      payload: { name: 'Sales', query },
    });
    expect(made).toMatchObject({ status: 201, body: { query: FUNNEL } });
    const path = `insights/${made.body.id}`;
    const changed = await ask('PUT', path, {
      payload: {
        name: 'Sales',
        query: { kind: 'DataTableNode', source: { kind: 'EventsQuery' } },
      },
    });
    expect(changed.body.query).toEqual({ kind: 'EventsQuery' });
    const persons = { kind: 'DataTableNode', source: { kind: 'ActorsQuery' } };
    expect(
      await ask('PUT', path, { payload: { name: 'Sales', query: persons } }),
    ).toMatchObject({
      status: 400,
      body: {
        attr: 'query.kind',
        detail: expect.stringContaining('use GET /api/projects/{id}/persons'),
      },
    });
    await ask('DELETE', path);
  });

  it('are removed from dashboards when they are deleted', async () => {
    const ids = [];
    for (const name of ['Sales', 'Visits']) {
      const payload = { name, query: FUNNEL };
      ids.push((await ask('POST', 'insights', { payload })).body.id);
    }
    const payload = { name: 'Overview', tiles: ids };
    const { body } = await ask('POST', 'dashboards', { payload });
    const path = `dashboards/${body.id}`;
    await ask('DELETE', `insights/${ids[0]}`);
    expect((await ask('GET', path)).body).toMatchObject({
      name: 'Overview',
      tiles: [ids[1]],
      version: 2,
    });
    await ask('DELETE', `insights/${ids[1]}`);
    await ask('DELETE', path);
  });

  it('are refused if they are too large, as lists contain all of them', async () => {
    const query = { kind: 'HogQLQuery', query: 'x', name: 'y'.repeat(70_000) };
    const payload = { name: 'Large', query };
    expect((await ask('POST', 'insights', { payload })).status).toBe(413);
  });

  it('are visible only to readers of their project', async () => {
    const payload = { name: 'Overview', tiles: ['a', 'b'] };
    const made = await ask('POST', 'dashboards', { payload });
    expect(made).toMatchObject({ status: 201, body: { tiles: ['a', 'b'] } });
    const path = `dashboards/${made.body.id}`;
    expect((await ask('GET', path, { as: 'joan' })).status).toBe(403);
    expect((await ask('GET', 'dashboards', { as: 'joan' })).status).toBe(403);
    expect((await ask('GET', `insights/${made.body.id}`)).status).toBe(404);
    expect(
      (await service.app.inject(`/api/projects/shop/${path}`)).statusCode,
    ).toBe(401);
    const other = await service.app.inject({
      url: '/api/projects/nothing/dashboards',
      headers: sessions.lin,
    });
    expect(other.statusCode).toBe(404);
  });

  it.each([
    ['insights', { query: FUNNEL }, 'name'],
    ['insights', { name: ' ', query: FUNNEL }, 'name'],
    ['insights', { name: 'x', query: { kind: 'DropQuery' } }, 'query.kind'],
    ['dashboards', { name: 'x', tiles: 'a' }, 'tiles'],
  ])('of %s are refused as %j for their %s', async (path, payload, attr) => {
    expect(await ask('POST', path, { payload })).toMatchObject({
      status: 400,
      body: { attr },
    });
  });
});
