import { fakeLogger, testDatabaseClients } from '@slipway/service-kit/testing';
import {
  errorAnswer,
  feedbackSuite,
  usePortal,
} from '../__testUtils__/feedbackSuite.ts';
import {
  clientsOf,
  startFeedback,
  submission,
} from '../__testUtils__/startFeedback.ts';

describe.each(testDatabaseClients())('submitting on %s', databaseClient => {
  const suite = feedbackSuite(databaseClient);

  it('accepts feedback without a session and returns it', async () => {
    const sent = await suite.clients.nobody.submit({
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
    const { body } = await suite.clients.nobody.get(
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
      user: { name: 'Lin', email: 'lin@example.org', verified: false },
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
    expect(await suite.clients.nobody.submit({ [field]: value })).toMatchObject(
      errorAnswer(400, 'INVALID_REQUEST', { field, constraint }),
    );
  });

  it('treats null in an optional field as missing', async () => {
    const sent = await suite.clients.nobody.submit({
      context: { page: null, component: null, timestamp: null },
      user: { id: null, name: null, email: null, anonymous: null },
      screenshot: null,
    });
    expect(sent.status).toBe(201);
    const { id } = sent.body;
    expect(
      (await suite.clients.nobody.get(`/api/v1/feedback/${id}`)).body,
    ).toEqual(
      expect.objectContaining({
        context: expect.objectContaining({ page: null, component: null }),
        user: { name: null, email: null, verified: false },
        anonymous: false,
        screenshot_url: null,
      }),
    );
    const nulls = { context: null, user: null };
    expect((await suite.clients.nobody.submit(nulls)).status).toBe(201);
    const moved = await suite.clients.ada.put(`/api/v1/feedback/${id}/status`, {
      status: 'validated',
      notes: null,
    });
    expect(moved.status).toBe(200);
  });

  it('names the field within an object', async () => {
    expect(
      await suite.clients.nobody.submit({
        context: { timestamp: 'yesterday' },
      }),
    ).toMatchObject(
      errorAnswer(400, 'INVALID_REQUEST', {
        field: 'context.timestamp',
        constraint: 'format',
      }),
    );
    expect(
      await suite.clients.nobody.submit({ user: { anonymous: 'yes' } }),
    ).toMatchObject(
      errorAnswer(400, 'INVALID_REQUEST', {
        field: 'user.anonymous',
        constraint: 'type',
      }),
    );
  });

  it('reads the sender from the session, not from the body', async () => {
    const { body } = await suite.clients.grace.submit({
      user: { id: 'user:default/ada', name: 'Ada', email: 'ada@example.org' },
    });
    const found = await suite.clients.ada.get(`/api/v1/feedback/${body.id}`);
    expect(found.body.user).toEqual({
      name: 'grace',
      email: null,
      verified: true,
    });
    const mine = await suite.clients.grace.get('/api/v1/feedback/mine');
    expect(mine.body).toMatchObject({
      feedback: [{ id: body.id, tracker_issue: null }],
      pagination: { page: 1, per_page: 20, total: 1, total_pages: 1 },
    });
    const others = await suite.clients.ada.get('/api/v1/feedback/mine');
    expect(others.body.pagination.total).toBe(0);
    expect(
      (await suite.clients.nobody.get('/api/v1/feedback/mine')).status,
    ).toBe(401);
  });

  it('stores nothing about anonymous senders', async () => {
    const { body } = await suite.clients.grace.submit({
      user: { id: 'g', name: 'Grace', email: 'g@example.org', anonymous: true },
    });
    const found = await suite.clients.ada.get(`/api/v1/feedback/${body.id}`);
    expect(found.body).toMatchObject({
      anonymous: true,
      user: { name: null, email: null, verified: false },
    });
    const mine = await suite.clients.grace.get('/api/v1/feedback/mine');
    expect(mine.body.feedback).toEqual([]);
  });

  it('reports that a message is blank', async () => {
    const { body } = await suite.clients.nobody.submit({ message: ' \n' });
    expect(body.error.message).toBe('message must not be blank');
  });
});

const portal = usePortal();

it('does not log anonymous senders', async () => {
  const { logger, lines } = fakeLogger();
  const service = await startFeedback(portal(), { logger });
  const { grace } = await clientsOf(service, portal());
  const callers = () =>
    lines.filter(({ method }) => method === 'POST').map(line => line.caller);
  await grace.submit();
  await vi.waitFor(() => expect(callers()).toEqual(['user:default/grace']));
  await grace.submit({ user: { anonymous: true } });
  await vi.waitFor(() => expect(callers()).toHaveLength(2));
  expect(callers()[1]).toBeUndefined();
  await service.stop();
});
