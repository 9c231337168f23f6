import type { Database, Service } from '@slipway/service-kit';
import {
  FakePortal,
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import {
  API_TOKEN,
  OTHER_TOKEN,
  startAnalytics,
} from '../__testUtils__/startAnalytics.ts';
import { defineAnalytics } from '../service.ts';

const DAY = '2026-11-21T10:00:00.000Z';

describe.each(testDatabaseClients())('annotations in %s', client => {
  let portal: FakePortal;
  let database: Database;
  let dispose: () => Promise<void>;
  let service: Service;
  const headers: Record<string, Record<string, string>> = {
    nobody: {},
    token: { authorization: `Bearer ${API_TOKEN}` },
    other: { authorization: `Bearer ${OTHER_TOKEN}` },
  };

  const ask = async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    { as = 'lin', payload }: { as?: string; payload?: object } = {},
  ) => {
    const response = await service.app.inject({
      method,
      url: `/api/projects/shop/annotations${path}`,
      headers: headers[as],
      payload,
    });
    return { status: response.statusCode, body: response.json() };
  };

  beforeAll(async () => {
    portal = await FakePortal.start({
      groups: {
        'user:default/ada': ['group:default/platform-admins'],
        'user:default/lin': ['group:default/research'],
        'user:default/grace': ['group:default/research'],
        'user:default/joan': ['group:default/payments'],
      },
    });
    for (const name of ['ada', 'lin', 'grace', 'joan']) {
      const token = await portal.token(`user:default/${name}`);
      headers[name] = { authorization: `Bearer ${token}` };
    }
    ({ database, dispose } = await openTestDatabase(client, defineAnalytics()));
    service = await startAnalytics({
      database,
      config: {
        portal: { baseUrl: portal.baseUrl },
        projects: [
          {
            id: 'shop',
            name: 'Shop',
            readers: ['group:default/research'],
            apiTokens: [{ name: 'test', key: API_TOKEN }],
          },
          {
            id: 'other',
            name: 'Other',
            apiTokens: [{ name: 'test', key: OTHER_TOKEN }],
          },
        ],
      },
    });
  });

  afterAll(async () => {
    await service.stop();
    await dispose();
    await portal.stop();
  });

  it('are added by readers, changed by their authors and admins, and deleted', async () => {
    const payload = { content: ' Sale begins ', date_marker: DAY };
    const made = await ask('POST', '', { payload });
    expect(made).toMatchObject({
      status: 201,
      body: {
        content: 'Sale begins',
        date_marker: DAY,
        scope: 'project',
        created_by: 'user:default/lin',
        may_change: true,
      },
    });
    const path = `/${made.body.id}`;
    expect((await ask('GET', path, { as: 'token' })).body).toMatchObject({
      content: 'Sale begins',
      may_change: false,
    });
    const change = { payload: { content: 'Sale' } };
    expect((await ask('PATCH', path, { as: 'grace', ...change })).status).toBe(
      403,
    );
    expect((await ask('DELETE', path, { as: 'grace' })).status).toBe(403);
    expect((await ask('PATCH', path, { as: 'ada', ...change })).body).toEqual({
      ...made.body,
      content: 'Sale',
      updated_at: expect.any(String),
    });
    const deleted = { payload: { deleted: true } };
    expect((await ask('PATCH', path, deleted)).body.deleted).toBe(true);
    expect((await ask('GET', path)).status).toBe(404);
    expect((await ask('DELETE', path)).status).toBe(404);
  });

  it('keep changes of different parts that are made at the same time', async () => {
    const payload = { content: 'Sale', date_marker: DAY };
    const { body } = await ask('POST', '', { payload });
    const path = `/${body.id}`;
    const later = '2026-11-22T10:00:00.000Z';
    const changes = [{ content: 'Sale ends' }, { date_marker: later }];
    const answers = await Promise.all(
      changes.map(change => ask('PATCH', path, { payload: change })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await ask('GET', path)).body).toMatchObject({
      content: 'Sale ends',
      date_marker: later,
    });
    await ask('DELETE', path);
  });

  it('are listed by the time that they mark, in pages', async () => {
    for (const [content, day] of [
      ['100% on', 1],
      ['launch', 3],
      ['relaunch', 2],
    ] as const) {
      const payload = { content, date_marker: `2026-10-0${day}T00:00:00Z` };
      await ask('POST', '', { payload });
    }
    const contents = async (query: string) => {
      const { body } = await ask('GET', query);
      return body.results.map((each: { content: string }) => each.content);
    };
    expect(await contents('')).toEqual(['launch', 'relaunch', '100% on']);
    expect(await contents('?search=LAUNCH')).toEqual(['launch', 'relaunch']);
    expect(await contents('?search=%25')).toEqual(['100% on']);
    expect(
      await contents('?after=2026-10-02T00:00:00Z&before=2026-10-02T23:59:59Z'),
    ).toEqual(['relaunch']);
    const { body } = await ask('GET', '?limit=2');
    expect(body).toMatchObject({ count: 3, previous: null });
    const next = await service.app.inject({
      url: body.next,
      headers: headers.lin,
    });
    expect(next.json()).toMatchObject({
      next: null,
      results: [{ content: '100% on' }],
    });
  });

  it('are rejected if invalid or from other users', async () => {
    for (const [as, status] of [
      ['nobody', 401],
      ['joan', 403],
      ['other', 403],
    ] as const) {
      expect([as, (await ask('GET', '', { as })).status]).toEqual([as, status]);
    }
    for (const [payload, attr] of [
      [{}, 'content'],
      [{ content: ' ' }, 'content'],
      [{ content: 'x'.repeat(401) }, 'content'],
      [{ content: 'x', date_marker: 'soon' }, 'date_marker'],
      [{ content: 'x', scope: 'organization' }, 'scope'],
    ] as const) {
      expect(await ask('POST', '', { payload })).toMatchObject({
        status: 400,
        body: { attr },
      });
    }
    expect((await ask('GET', '?limit=0')).status).toBe(400);
    expect((await ask('GET', '/first')).status).toBe(404);
    expect((await ask('GET', '/999')).status).toBe(404);
    const missing = await service.app.inject({
      url: '/api/projects/none/annotations',
      headers: headers.lin,
    });
    expect(missing.statusCode).toBe(404);
  });
});
