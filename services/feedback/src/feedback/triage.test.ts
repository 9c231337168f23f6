import { testDatabaseClients } from '@slipway/service-kit/testing';
import {
  errorAnswer,
  feedbackSuite,
  NOW,
} from '../__testUtils__/feedbackSuite.ts';

describe.each(testDatabaseClients())('triage on %s', databaseClient => {
  const suite = feedbackSuite(databaseClient);

  it('lists for admins, with every filter, page by page', async () => {
    for (const [index, rating] of [1, 3, 5, 5].entries()) {
      suite.clock.now = NOW + index * 3_600_000;
      await suite.clients.nobody.submit({
        rating,
        category: index === 0 ? 'CI/CD' : 'UI/UX',
        message: `Number ${index} is 100% there, ÜBER all`,
      });
    }
    const list = async (query = '') =>
      (await suite.clients.ada.get(`/api/v1/feedback?${query}`)).body;
    const all = await list();
    expect(all.feedback.map((one: { rating: number }) => one.rating)).toEqual([
      5, 5, 3, 1,
    ]);
    expect(all.feedback[3]).toEqual({
      id: expect.any(String),
      rating: 1,
      category: 'CI/CD',
      message: 'Number 0 is 100% there, ÜBER all',
      sentiment: 'negative',
      status: 'new',
      created_at: '2026-11-20T12:00:00.000Z',
      user: { name: null, email: null, verified: false },
    });
    expect((await list('per_page=3&page=2')).pagination).toEqual({
      page: 2,
      per_page: 3,
      total: 4,
      total_pages: 2,
    });
    await suite.clients.ada.move(all.feedback[0].id, 'validated');
    const total = async (query: string) => (await list(query)).pagination.total;
    expect(await total('status=validated')).toBe(1);
    expect(await total('category=CI%2FCD')).toBe(1);
    expect(await total('rating=5')).toBe(2);
    expect(await total('sentiment=negative')).toBe(1);
    expect(await total('q=number%203')).toBe(1);
    expect(await total('q=100%25')).toBe(4);
    expect(await total('q=_')).toBe(0);
    expect(await total('q=%C3%9CBER')).toBe(4);
    expect(await total('start_date=2026-11-20T13:00:00Z')).toBe(3);
    expect(await total('end_date=2026-11-20T13:00:00Z')).toBe(2);
    expect(await total('end_date=2026-11-20T13:00:00')).toBe(2);
    expect(await total('end_date=2026-11-20T14:00:00+01:00')).toBe(2);
    expect(await total('start_date=2026-11-20&end_date=2026-11-20')).toBe(4);
    expect(await total('end_date=2026-11-19')).toBe(0);
  });

  it.each([
    ['status=done', 'status', 'enum'],
    ['rating=0', 'rating', 'minimum'],
    ['rating=good', 'rating', 'type'],
    ['per_page=101', 'per_page', 'maximum'],
    ['page=0', 'page', 'minimum'],
    ['component=', 'component', 'minLength'],
    ['start_date=monday', 'start_date', 'format'],
    ['start_date=2026-02-30', 'start_date', 'format'],
    ['end_date=12:00', 'end_date', 'format'],
    ['start_date=2026-11-20&end_date=2026-11-19', 'start_date', 'maximum'],
  ])('rejects a list by %s', async (query, field, constraint) => {
    expect(
      await suite.clients.ada.get(`/api/v1/feedback?${query}`),
    ).toMatchObject(errorAnswer(400, 'INVALID_REQUEST', { field, constraint }));
  });

  it('lists feedback about a component, for admins and for its senders', async () => {
    const { ada, grace } = suite.clients;
    await grace.submit({ context: { component: 'Shop' } });
    await grace.submit({ context: { component: 'component:default/shop' } });
    await ada.submit({
      context: { page: 'http://localhost/catalog/default/component/shop' },
    });
    await ada.submit({ context: { component: 'workshop' } });
    await ada.submit({});
    const total = async (client: typeof ada, path: string) =>
      (await client.get(`/api/v1/feedback${path}`)).body.pagination.total;
    const ref = encodeURIComponent('component:default/Shop');
    expect(await total(ada, `?component=${ref}`)).toBe(3);
    expect(await total(ada, '?component=SHOP')).toBe(1);
    expect(await total(ada, '?component=_')).toBe(0);
    expect(await total(ada, `?component=${ref}&status=resolved`)).toBe(0);
    expect(await total(grace, `/mine?component=${ref}`)).toBe(2);
    expect(await total(ada, `/mine?component=${ref}`)).toBe(1);
  });

  it('lists feedback about the components of a system', async () => {
    const { ada, grace } = suite.clients;
    suite.portal.entities = [
      { kind: 'System', metadata: { name: 'market' } },
      ...['shop', 'till'].map(name => ({
        kind: 'Component',
        metadata: { name },
        relations: [{ type: 'partOf', targetRef: 'system:default/market' }],
      })),
      { kind: 'System', metadata: { name: 'empty' } },
    ];
    for (const component of ['Shop', 'component:default/till', 'map']) {
      await grace.submit({ context: { component } });
    }
    const path = (name: string) =>
      `?component=${encodeURIComponent(`system:default/${name}`)}`;
    const list = async (client: typeof ada, where: string) =>
      (await client.get(`/api/v1/feedback${where}`)).body.feedback.map(
        ({ context }: { context: { component: string } }) => context.component,
      );
    expect(await list(ada, path('market'))).toEqual([
      'component:default/till',
      'Shop',
    ]);
    expect(await list(ada, path('empty'))).toEqual([]);
    expect(await list(ada, `/mine${path('market')}`)).toEqual([]);
    expect(await ada.get(`/api/v1/feedback${path('none')}`)).toMatchObject(
      errorAnswer(404, 'NOT_FOUND'),
    );
  });

  it('lists and moves only for admins', async () => {
    const { id } = (await suite.clients.nobody.submit()).body;
    for (const [client, status, code] of [
      [suite.clients.nobody, 401, 'UNAUTHENTICATED'],
      [suite.clients.automation, 401, 'UNAUTHENTICATED'],
      [suite.clients.grace, 403, 'FORBIDDEN'],
    ] as const) {
      expect(await client.get('/api/v1/feedback')).toMatchObject(
        errorAnswer(status, code),
      );
      expect(await client.move(id, 'validated')).toMatchObject(
        errorAnswer(status, code),
      );
      // Callers without permission do not learn what else is invalid in the request.
      expect(await client.move('fb_none', 'done')).toMatchObject(
        errorAnswer(status, code),
      );
    }
  });

  it('moves a record from any status to any, and keeps the notes', async () => {
    const { id } = (await suite.clients.nobody.submit()).body;
    suite.clock.now += 1_000;
    expect(
      await suite.clients.ada.move(id, 'archived', 'Not now'),
    ).toMatchObject({
      status: 200,
      body: { id, status: 'archived', updated_at: '2026-11-20T12:00:01.000Z' },
    });
    expect((await suite.clients.ada.move(id, 'new')).status).toBe(200);
    const { body } = await suite.clients.ada.get(`/api/v1/feedback/${id}`);
    expect(body).toMatchObject({
      status: 'new',
      history: [
        {
          at: '2026-11-20T12:00:01.000Z',
          actor: 'user:default/ada',
          from: 'new',
          to: 'archived',
          notes: 'Not now',
        },
        { from: 'archived', to: 'new', notes: '' },
      ],
    });
    const seen = await suite.clients.grace.get(`/api/v1/feedback/${id}`);
    expect(seen.body).not.toHaveProperty('history');
    expect(await suite.clients.ada.move(id, 'done')).toMatchObject(
      errorAnswer(400, 'INVALID_REQUEST', {
        field: 'status',
        constraint: 'enum',
      }),
    );
    expect(await suite.clients.ada.move('fb_none', 'new')).toMatchObject(
      errorAnswer(404, 'NOT_FOUND'),
    );
  });

  it('tells senders when the status changed, but not by whom or why', async () => {
    const { ada, grace, nobody } = suite.clients;
    const { id } = (await grace.submit()).body;
    await ada.move(id, 'validated', 'Seen it too');
    await ada.move(id, 'validated', 'And again');
    suite.clock.now += 1_000;
    await ada.move(id, 'in_progress');
    const own = await grace.get(`/api/v1/feedback/${id}`);
    expect(own.body.history).toEqual([
      { at: '2026-11-20T12:00:00.000Z', from: 'new', to: 'validated' },
      { at: '2026-11-20T12:00:01.000Z', from: 'validated', to: 'in_progress' },
    ]);
    const other = await nobody.get(`/api/v1/feedback/${id}`);
    expect(other.body).not.toHaveProperty('history');
  });

  it('stores notes without a move if the status is unchanged', async () => {
    const { id } = (await suite.clients.nobody.submit()).body;
    await suite.clients.ada.move(id, 'resolved');
    suite.clock.now += 1_000;
    expect(await suite.clients.ada.move(id, 'resolved')).toMatchObject({
      status: 200,
      body: { status: 'resolved', updated_at: '2026-11-20T12:00:01.000Z' },
    });
    await suite.clients.ada.move(id, 'resolved', 'Since the release');
    const { body } = await suite.clients.ada.get(`/api/v1/feedback/${id}`);
    expect(body.history).toMatchObject([
      { from: 'new', to: 'resolved', notes: '' },
      { from: 'resolved', to: 'resolved', notes: 'Since the release' },
    ]);
  });
});
