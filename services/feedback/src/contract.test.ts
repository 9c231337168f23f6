import type { Database, Service } from '@slipway/service-kit';
import {
  type FakePortal,
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { fakeLogger } from './__testUtils__/fakeLogger.ts';
import {
  clientsOf,
  KEY,
  PNG,
  startFeedback,
  startPortal,
  submission,
} from './__testUtils__/startFeedback.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

let portal: FakePortal;

beforeAll(async () => {
  portal = await startPortal();
});

afterAll(() => portal.stop());

describe.each(testDatabaseClients())('the contract on %s', databaseClient => {
  let service: Service;
  let dispose: () => Promise<void>;
  let clients: Awaited<ReturnType<typeof clientsOf>>;
  const clock = { now: NOW };

  let database: Database;

  beforeAll(async () => {
    ({ database, dispose } = await openTestDatabase(databaseClient));
    service = await startFeedback(portal, { database, now: () => clock.now });
    clients = await clientsOf(service, portal);
  });

  beforeEach(async () => {
    clock.now = NOW;
    for (const table of ['feedback', 'screenshots', 'feedback_history']) {
      await database.knex(table).delete();
    }
  });

  afterAll(async () => {
    await service.stop();
    await dispose();
  });

  const error = (status: number, code: string, details?: object) => ({
    status,
    body: {
      error: {
        code,
        message: expect.any(String),
        ...(details && { details }),
      },
      status,
      timestamp: expect.stringMatching(TIMESTAMP),
    },
  });

  it('is healthy', async () => {
    expect(await clients.nobody.get('/health')).toMatchObject({
      status: 200,
      body: { status: 'ok', database: 'connected' },
    });
  });

  it('takes feedback without a session and gives it back', async () => {
    const sent = await clients.nobody.submit({
      context: {
        page: '/catalog',
        component: 'table',
        timestamp: '2026-11-20T10:00:00+01:00',
      },
      user: {
        id: 'u1',
        name: 'Lin',
        email: 'lin@example.org',
        anonymous: false,
      },
      unknown: 'ignored',
    });
    expect(sent).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^fb_[0-9a-f-]{36}$/),
        status: 'new',
        message: expect.any(String),
        created_at: '2026-11-20T12:00:00.000Z',
      },
    });
    const { body } = await clients.nobody.get(
      `/api/v1/feedback/${sent.body.id}`,
    );
    expect(body).toEqual({
      id: sent.body.id,
      rating: 4,
      rating_inferred: false,
      category: 'UI/UX',
      message: submission.message,
      context: {
        page: '/catalog',
        component: 'table',
        timestamp: '2026-11-20T09:00:00.000Z',
      },
      sentiment: 'positive',
      priority: 'low',
      source: 'api',
      anonymous: false,
      status: 'new',
      created_at: '2026-11-20T12:00:00.000Z',
      updated_at: '2026-11-20T12:00:00.000Z',
      user: { name: 'Lin', email: 'lin@example.org' },
      screenshot_url: null,
      tracker_issue: null,
    });
  });

  it.each([
    ['rating', undefined, 'required'],
    ['rating', 0, 'minimum'],
    ['rating', 6, 'maximum'],
    ['rating', 4.5, 'type'],
    ['rating', '4', 'type'],
    ['category', undefined, 'required'],
    ['category', 'Cheese', 'enum'],
    ['message', undefined, 'required'],
    ['message', '', 'minLength'],
    ['message', ' \n', 'pattern'],
    ['message', 'x'.repeat(10_001), 'maxLength'],
    ['message', 'a\u0000b', 'format'],
    ['screenshot', 'not base64!', 'format'],
    ['screenshot', Buffer.from('<svg/>').toString('base64'), 'format'],
  ])('refuses %s %j: %s', async (field, value, constraint) => {
    expect(await clients.nobody.submit({ [field]: value })).toMatchObject(
      error(400, 'INVALID_REQUEST', { field, constraint }),
    );
  });

  it('takes null on an optional field for nothing', async () => {
    const sent = await clients.nobody.submit({
      context: { page: null, component: null, timestamp: null },
      user: { id: null, name: null, email: null, anonymous: null },
      screenshot: null,
    });
    expect(sent.status).toBe(201);
    const { id } = sent.body;
    expect((await clients.nobody.get(`/api/v1/feedback/${id}`)).body).toEqual(
      expect.objectContaining({
        context: expect.objectContaining({ page: null, component: null }),
        user: { name: null, email: null },
        anonymous: false,
        screenshot_url: null,
      }),
    );
    const nulls = { context: null, user: null };
    expect((await clients.nobody.submit(nulls)).status).toBe(201);
    const moved = await clients.ada.put(`/api/v1/feedback/${id}/status`, {
      status: 'validated',
      notes: null,
    });
    expect(moved.status).toBe(200);
  });

  it('names the field within an object', async () => {
    expect(
      await clients.nobody.submit({ context: { timestamp: 'yesterday' } }),
    ).toMatchObject(
      error(400, 'INVALID_REQUEST', {
        field: 'context.timestamp',
        constraint: 'format',
      }),
    );
    expect(
      await clients.nobody.submit({ user: { anonymous: 'yes' } }),
    ).toMatchObject(
      error(400, 'INVALID_REQUEST', {
        field: 'user.anonymous',
        constraint: 'type',
      }),
    );
  });

  it('refuses what is no JSON, too much, unknown, or by the wrong method', async () => {
    const post = (payload: string, type: string) =>
      service.app.inject({
        method: 'POST',
        url: '/api/v1/feedback',
        headers: { 'content-type': type },
        payload,
      });
    expect((await post('{', 'application/json')).statusCode).toBe(400);
    expect((await post('rating=4', 'text/plain')).statusCode).toBe(400);
    const tooMuch = JSON.stringify({
      screenshot: 'A'.repeat(11 * 1024 * 1024),
    });
    expect((await post(tooMuch, 'application/json')).statusCode).toBe(413);
    const tooLong = {
      ...submission,
      message: 'x'.repeat(1024 * 1024),
      screenshot: null,
    };
    expect(await clients.nobody.submit(tooLong)).toMatchObject(
      error(413, 'PAYLOAD_TOO_LARGE'),
    );
    expect(await clients.nobody.get('/api/v2')).toMatchObject(
      error(404, 'NOT_FOUND'),
    );
    const noId = `/api/v1/feedback/${'x'.repeat(200)}`;
    expect(await clients.nobody.get(noId)).toMatchObject(
      error(404, 'NOT_FOUND'),
    );
    const wrong = await clients.nobody.call('DELETE', '/api/v1/feedback');
    expect(wrong.status).toBe(405);
    expect(wrong.headers.allow).toContain('POST');
  });

  it('takes the sender from the session, and believes no body against it', async () => {
    const { body } = await clients.grace.submit({
      user: { id: 'user:default/ada', name: 'Ada', email: 'ada@example.org' },
    });
    const found = await clients.ada.get(`/api/v1/feedback/${body.id}`);
    expect(found.body.user).toEqual({ name: 'grace', email: null });
    const mine = await clients.grace.get('/api/v1/feedback/mine');
    expect(mine.body).toMatchObject({
      feedback: [{ id: body.id, tracker_issue: null }],
      pagination: { page: 1, per_page: 20, total: 1, total_pages: 1 },
    });
    const others = await clients.ada.get('/api/v1/feedback/mine');
    expect(others.body.pagination.total).toBe(0);
    expect((await clients.nobody.get('/api/v1/feedback/mine')).status).toBe(
      401,
    );
  });

  it('keeps nothing of who wants to be anonymous', async () => {
    const { body } = await clients.grace.submit({
      user: { id: 'g', name: 'Grace', email: 'g@example.org', anonymous: true },
    });
    const found = await clients.ada.get(`/api/v1/feedback/${body.id}`);
    expect(found.body).toMatchObject({
      anonymous: true,
      user: { name: null, email: null },
    });
    const mine = await clients.grace.get('/api/v1/feedback/mine');
    expect(mine.body.feedback).toEqual([]);
  });

  it('stores a screenshot and serves it as what its bytes are', async () => {
    const { body } = await clients.nobody.submit({
      screenshot: `data:image/gif;base64,${PNG}`,
    });
    const record = await clients.nobody.get(`/api/v1/feedback/${body.id}`);
    expect(record.body.screenshot_url).toBe(
      `/api/v1/feedback/${body.id}/screenshot`,
    );
    const image = await service.app.inject({ url: record.body.screenshot_url });
    expect(image.statusCode).toBe(200);
    expect(image.rawPayload.toString('base64')).toBe(PNG);
    expect(image.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    const broken = PNG.replace(/.{20}/g, '$&\r\n');
    const sent = await clients.nobody.submit({ screenshot: broken });
    const inLines = await service.app.inject({
      url: `/api/v1/feedback/${sent.body.id}/screenshot`,
    });
    expect(inLines.rawPayload.toString('base64')).toBe(PNG);
    const without = await clients.nobody.submit();
    expect(
      await clients.nobody.get(
        `/api/v1/feedback/${without.body.id}/screenshot`,
      ),
    ).toMatchObject(error(404, 'NOT_FOUND'));
  });

  it('refuses a screenshot of more than 5 MiB', async () => {
    const screenshot = Buffer.concat([
      Buffer.from(PNG, 'base64'),
      Buffer.alloc(5 * 1024 * 1024),
    ]).toString('base64');
    expect(await clients.nobody.submit({ screenshot })).toMatchObject(
      error(413, 'PAYLOAD_TOO_LARGE', {
        field: 'screenshot',
        constraint: 'maxLength',
      }),
    );
  });

  it('lists for admins, by every filter, a page at a time', async () => {
    for (const [index, rating] of [1, 3, 5, 5].entries()) {
      clock.now = NOW + index * 3_600_000;
      await clients.nobody.submit({
        rating,
        category: index === 0 ? 'CI/CD' : 'UI/UX',
        message: `Number ${index} is 100% there, ÜBER all`,
      });
    }
    const list = async (query = '') =>
      (await clients.ada.get(`/api/v1/feedback?${query}`)).body;
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
      user: { name: null, email: null },
    });
    expect((await list('per_page=3&page=2')).pagination).toEqual({
      page: 2,
      per_page: 3,
      total: 4,
      total_pages: 2,
    });
    await clients.ada.move(all.feedback[0].id, 'validated');
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
    ['start_date=monday', 'start_date', 'format'],
    ['start_date=2026-02-30', 'start_date', 'format'],
    ['end_date=12:00', 'end_date', 'format'],
    ['start_date=2026-11-20&end_date=2026-11-19', 'start_date', 'maximum'],
  ])('refuses a list by %s', async (query, field, constraint) => {
    expect(await clients.ada.get(`/api/v1/feedback?${query}`)).toMatchObject(
      error(400, 'INVALID_REQUEST', { field, constraint }),
    );
  });

  it('lists and moves for admins alone', async () => {
    const { id } = (await clients.nobody.submit()).body;
    for (const [client, status, code] of [
      [clients.nobody, 401, 'UNAUTHENTICATED'],
      [clients.automation, 401, 'UNAUTHENTICATED'],
      [clients.grace, 403, 'FORBIDDEN'],
    ] as const) {
      expect(await client.get('/api/v1/feedback')).toMatchObject(
        error(status, code),
      );
      expect(await client.move(id, 'validated')).toMatchObject(
        error(status, code),
      );
      // Who may not, is not told what is wrong with the request either.
      expect(await client.move('fb_none', 'done')).toMatchObject(
        error(status, code),
      );
    }
  });

  it('moves a record from any status to any, and keeps the notes', async () => {
    const { id } = (await clients.nobody.submit()).body;
    clock.now += 1_000;
    expect(await clients.ada.move(id, 'archived', 'Not now')).toMatchObject({
      status: 200,
      body: { id, status: 'archived', updated_at: '2026-11-20T12:00:01.000Z' },
    });
    expect((await clients.ada.move(id, 'new')).status).toBe(200);
    const { body } = await clients.ada.get(`/api/v1/feedback/${id}`);
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
    const seen = await clients.grace.get(`/api/v1/feedback/${id}`);
    expect(seen.body).not.toHaveProperty('history');
    expect(await clients.ada.move(id, 'done')).toMatchObject(
      error(400, 'INVALID_REQUEST', { field: 'status', constraint: 'enum' }),
    );
    expect(await clients.ada.move('fb_none', 'new')).toMatchObject(
      error(404, 'NOT_FOUND'),
    );
  });

  it('writes down no move to where a record is, but what is noted of it', async () => {
    const { id } = (await clients.nobody.submit()).body;
    await clients.ada.move(id, 'resolved');
    clock.now += 1_000;
    expect(await clients.ada.move(id, 'resolved')).toMatchObject({
      status: 200,
      body: { status: 'resolved', updated_at: '2026-11-20T12:00:01.000Z' },
    });
    await clients.ada.move(id, 'resolved', 'Since the release');
    const { body } = await clients.ada.get(`/api/v1/feedback/${id}`);
    expect(body.history).toMatchObject([
      { from: 'new', to: 'resolved', notes: '' },
      { from: 'resolved', to: 'resolved', notes: 'Since the release' },
    ]);
  });

  it('refuses a wrong credential where none is needed, and takes a good one', async () => {
    const send = (headers: Record<string, string>) =>
      Promise.all([
        service.app.inject({
          method: 'POST',
          url: '/api/v1/feedback',
          payload: submission,
          headers,
        }),
        service.app.inject({ url: '/api/v1/feedback/stats', headers }),
      ]);
    const wrongs: Record<string, string>[] = [
      { 'x-api-key': 'wrong' },
      { 'x-api-key': '' },
      { authorization: 'Basic d3Jvbmc6d3Jvbmc=' },
      { authorization: 'Bearer wrong' },
      { cookie: 'backstage-auth=wrong' },
    ];
    for (const wrong of wrongs) {
      const answers = await send(wrong);
      expect([wrong, ...answers.map(each => each.statusCode)]).toEqual([
        wrong,
        401,
        401,
      ]);
    }
    const answers = await send({ 'x-api-key': KEY });
    expect(answers.map(each => each.statusCode)).toEqual([201, 200]);
  });

  it('says in words that a message is blank', async () => {
    const { body } = await clients.nobody.submit({ message: ' \n' });
    expect(body.error.message).toBe('message must not be blank');
  });

  it('begins at the start of a day where a period ends with one', async () => {
    const periodOf = async (query: string) =>
      (await clients.nobody.get(`/api/v1/feedback/stats?${query}`)).body.period;
    expect(await periodOf('end_date=2026-11-20')).toEqual({
      start: '2026-10-21T00:00:00.000Z',
      end: '2026-11-20T23:59:59.999Z',
    });
    expect(await periodOf('end_date=2026-11-19T08:30:00Z')).toEqual({
      start: '2026-10-20T08:30:00.000Z',
      end: '2026-11-19T08:30:00.000Z',
    });
  });

  it('counts a response among many', async () => {
    for (let sent = 0; sent < 299; sent += 1) {
      await clients.nobody.submit();
    }
    const { id } = (await clients.nobody.submit()).body;
    await clients.ada.move(id, 'resolved');
    const { body } = await clients.nobody.get('/api/v1/feedback/stats');
    expect(body.response_rate).toBe(0.0033);
  });

  it('says what feedback can be about, and who triages', async () => {
    const options = async (client: (typeof clients)['ada']) =>
      (await client.get('/api/v1/feedback/options')).body;
    expect(await options(clients.ada)).toEqual({
      categories: ['UI/UX', 'Performance', 'Documentation', 'CI/CD', 'Other'],
      may_triage: true,
    });
    expect(await options(clients.grace)).toMatchObject({ may_triage: false });
    expect(await options(clients.nobody)).toMatchObject({ may_triage: false });
  });

  it('counts', async () => {
    const empty = await clients.nobody.get('/api/v1/feedback/stats');
    expect(empty.body).toEqual({
      period: {
        start: '2026-10-21T12:00:00.000Z',
        end: '2026-11-20T12:00:00.000Z',
      },
      total_feedback: 0,
      by_rating: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 },
      by_category: {
        'UI/UX': 0,
        Performance: 0,
        Documentation: 0,
        'CI/CD': 0,
        Other: 0,
      },
      by_status: {
        new: 0,
        validated: 0,
        in_progress: 0,
        resolved: 0,
        archived: 0,
      },
      by_sentiment: { positive: 0, neutral: 0, negative: 0 },
      avg_rating: 0,
      response_rate: 0,
    });
    for (const rating of [1, 5, 5]) {
      await clients.nobody.submit({ rating });
    }
    const { id } = (await clients.nobody.submit({ rating: 4 })).body;
    await clients.ada.move(id, 'resolved');
    const { body } = await clients.nobody.get(
      '/api/v1/feedback/stats?start_date=2026-11-20&end_date=2026-11-20',
    );
    expect(body).toMatchObject({
      period: {
        start: '2026-11-20T00:00:00.000Z',
        end: '2026-11-20T23:59:59.999Z',
      },
      total_feedback: 4,
      by_rating: { 1: 1, 2: 0, 3: 0, 4: 1, 5: 2 },
      by_status: { new: 3, resolved: 1 },
      avg_rating: 3.75,
      response_rate: 0.25,
    });
    const before = await clients.nobody.get(
      '/api/v1/feedback/stats?end_date=2026-11-19',
    );
    expect(before.body.total_feedback).toBe(0);
  });

  it('refuses writes from other origins, with a session and without', async () => {
    const cookie = await portal.cookie('user:default/ada');
    const post = (headers: Record<string, string>) =>
      service.app.inject({
        method: 'POST',
        url: '/api/v1/feedback',
        headers,
        payload: submission,
      });
    const statuses = await Promise.all([
      post({ cookie, origin: 'https://evil.example' }),
      post({ origin: 'https://evil.example' }),
      post({ origin: 'null' }),
      post({ cookie, 'sec-fetch-site': 'cross-site' }),
      post({ cookie, origin: 'http://localhost:3000' }),
      post({ origin: 'http://localhost:3000' }),
    ]);
    expect(statuses.map(({ statusCode }) => statusCode)).toEqual([
      403, 403, 403, 403, 201, 201,
    ]);
    expect(statuses[1].json()).toMatchObject(error(403, 'FORBIDDEN').body);
  });

  it('takes bearer tokens of users, and no token of another kind', async () => {
    const bearer = await portal.token('user:default/ada');
    const limited = await portal.token('user:default/ada', { limited: true });
    const expired = await portal.token('user:default/ada', {
      expiresIn: -3 * 86_400,
    });
    const list = async (headers: Record<string, string>) =>
      (await service.app.inject({ url: '/api/v1/feedback', headers }))
        .statusCode;
    expect(await list({ authorization: `Bearer ${bearer}` })).toBe(200);
    expect(await list({ authorization: `Bearer ${limited}` })).toBe(401);
    expect(await list({ authorization: `Bearer ${expired}` })).toBe(401);
    expect(await list({ cookie: `backstage-auth=${bearer}` })).toBe(401);
    expect(await list({ cookie: 'backstage-auth=nonsense' })).toBe(401);
  });

  it('exposes what happened', async () => {
    await clients.nobody.submit();
    await clients.nobody.get('/metrics');
    await vi.waitFor(async () => {
      const { body } = await clients.nobody.get('/metrics');
      expect(body).toMatch(/feedback_submissions_total\{source="api"\} [1-9]/);
      expect(body).toContain('feedback_by_rating{rating="4"}');
      expect(body).toContain('feedback_by_category{category="UI/UX"}');
      expect(body).toContain('feedback_processing_duration_seconds_bucket');
    });
  });

  it('describes itself', async () => {
    const { body } = await clients.nobody.get('/openapi.json');
    expect(body.openapi).toBe('3.1.0');
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining([
        '/api/v1/feedback',
        '/api/v1/feedback/{id}',
        '/api/v1/feedback/{id}/status',
        '/api/v1/feedback/stats',
        '/api/v1/automation/process-validated',
      ]),
    );
  });
});

describe('reads that need a session', () => {
  it('are for admins, and senders of their own', async () => {
    const service = await startFeedback(portal, {
      config: { auth: { reads: 'required' } },
    });
    const { ada, grace, nobody, automation } = await clientsOf(service, portal);
    const own = await grace.submit({ screenshot: PNG });
    const foreign = await nobody.submit();
    const read = async (client: typeof ada, id: string, part = '') =>
      (await client.get(`/api/v1/feedback/${id}${part}`)).status;
    expect(await read(nobody, own.body.id)).toBe(401);
    expect(await read(nobody, 'stats')).toBe(401);
    expect(await read(automation, 'stats')).toBe(403);
    expect(await read(grace, 'stats')).toBe(200);
    for (const part of ['', '/screenshot']) {
      expect(await read(grace, own.body.id, part)).toBe(200);
      expect(await read(grace, foreign.body.id, part)).toBe(403);
      expect(await read(nobody, own.body.id, part)).toBe(401);
    }
    expect(await read(ada, foreign.body.id)).toBe(200);
    expect(await read(ada, 'fb_none')).toBe(404);
    await service.stop();
  });
});

it('names nobody in the log who wants to be anonymous', async () => {
  const { logger, lines } = fakeLogger();
  const service = await startFeedback(portal, { logger });
  const { grace } = await clientsOf(service, portal);
  const callers = () =>
    lines.filter(({ method }) => method === 'POST').map(line => line.caller);
  await grace.submit();
  await vi.waitFor(() => expect(callers()).toEqual(['user:default/grace']));
  await grace.submit({ user: { anonymous: true } });
  await vi.waitFor(() => expect(callers()).toHaveLength(2));
  expect(callers()[1]).toBeUndefined();
  await service.stop();
});

describe('the limit', () => {
  it('is 50 requests a minute for each user, and says so', async () => {
    const service = await startFeedback(portal, {
      config: { rateLimit: { enabled: true } },
    });
    const { ada, grace, nobody } = await clientsOf(service, portal);
    for (let sent = 0; sent < 50; sent += 1) {
      const answer = await grace.get('/api/v1/feedback/stats');
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'x-ratelimit-limit': '50',
        'x-ratelimit-remaining': String(49 - sent),
        'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
      });
    }
    const refused = await grace.submit();
    expect(refused.status).toBe(429);
    expect(refused.body.error.code).toBe('RATE_LIMITED');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await ada.get('/api/v1/feedback')).status).toBe(200);
    expect((await nobody.submit()).status).toBe(201);
    for (const [answer, status] of [
      [await nobody.get('/api/v1/feedback'), 401],
      [await grace.get('/api/v1/feedback'), 429],
      [await nobody.submit({ rating: 6 }), 400],
      [await nobody.get('/api/v1/feedback/fb_none'), 404],
      [await nobody.get('/api/v1/nothing'), 404],
      [await nobody.call('DELETE', '/api/v1/feedback'), 405],
    ] as const) {
      expect(answer.status).toBe(status);
      expect(answer.headers).toMatchObject({
        'x-ratelimit-limit': '50',
        'x-ratelimit-remaining': expect.any(String),
        'x-ratelimit-reset': expect.any(String),
      });
    }
    await service.stop();
  });
});
