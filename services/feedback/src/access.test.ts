import { testDatabaseClients } from '@slipway/service-kit/testing';
import {
  errorAnswer,
  feedbackSuite,
  usePortal,
} from './__testUtils__/feedbackSuite.ts';
import {
  type Client,
  clientsOf,
  KEY,
  PNG,
  startFeedback,
  submission,
} from './__testUtils__/startFeedback.ts';

describe.each(testDatabaseClients())('access on %s', databaseClient => {
  const suite = feedbackSuite(databaseClient);

  it('rejects an invalid credential even if none is required, and accepts a valid one', async () => {
    const send = (headers: Record<string, string>) =>
      Promise.all([
        suite.service.app.inject({
          method: 'POST',
          url: '/api/v1/feedback',
          payload: submission,
          headers,
        }),
        suite.service.app.inject({ url: '/api/v1/feedback/stats', headers }),
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

  it('reports the categories, and who may triage', async () => {
    const options = async (client: Client) =>
      (await client.get('/api/v1/feedback/options')).body;
    expect(await options(suite.clients.ada)).toEqual({
      categories: ['UI/UX', 'Performance', 'Documentation', 'CI/CD', 'Other'],
      may_triage: true,
    });
    expect(await options(suite.clients.grace)).toMatchObject({
      may_triage: false,
    });
    expect(await options(suite.clients.nobody)).toMatchObject({
      may_triage: false,
    });
  });

  it('rejects writes from other origins, with and without a session', async () => {
    const cookie = await suite.portal.cookie('user:default/ada');
    const post = (headers: Record<string, string>) =>
      suite.service.app.inject({
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
    expect(statuses[1].json()).toMatchObject(
      errorAnswer(403, 'FORBIDDEN').body,
    );
  });

  it('accepts only bearer tokens of users', async () => {
    const bearer = await suite.portal.token('user:default/ada');
    const limited = await suite.portal.token('user:default/ada', {
      limited: true,
    });
    const expired = await suite.portal.token('user:default/ada', {
      // Before the fixed time of the service, whatever the time is now.
      expiresIn: -10 * 365 * 86_400,
    });
    const list = async (headers: Record<string, string>) =>
      (await suite.service.app.inject({ url: '/api/v1/feedback', headers }))
        .statusCode;
    expect(await list({ authorization: `Bearer ${bearer}` })).toBe(200);
    expect(await list({ authorization: `Bearer ${limited}` })).toBe(401);
    expect(await list({ authorization: `Bearer ${expired}` })).toBe(401);
    expect(await list({ cookie: `backstage-auth=${bearer}` })).toBe(401);
    expect(await list({ cookie: 'backstage-auth=nonsense' })).toBe(401);
  });
});

const portal = usePortal();

describe('reads that require a session', () => {
  it('are for admins, and for senders their own', async () => {
    const service = await startFeedback(portal(), {
      config: { auth: { reads: 'required' } },
    });
    const { ada, grace, nobody, automation } = await clientsOf(
      service,
      portal(),
    );
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

describe.each(['open', 'required'])('reads that are %s', reads => {
  it('show messages only to their sender and admins, on every route', async () => {
    const service = await startFeedback(portal(), {
      config: { auth: { reads } },
    });
    const { ada, grace, nobody, automation } = await clientsOf(
      service,
      portal(),
    );
    const WORDS = 'Zanzibar is what my manager calls this search';
    const send = async (client: Client) => {
      const { id } = (await client.submit({ message: WORDS, rating: 2 })).body;
      await ada.move(id, 'validated');
      return id as string;
    };
    const ids = [await send(grace), await send(ada), await send(nobody)];
    await automation.post('/api/v1/automation/process-validated');
    const [own, ...foreign] = await Promise.all(
      ids.map(async id => {
        const { body } = await ada.get(`/api/v1/feedback/${id}`);
        return { id, number: body.tracker_issue.number as number };
      }),
    );
    const waysTo = (numbers: number[]) => [
      '/api/v1/issues',
      '/api/v1/issues?state=open&per_page=100',
      ...numbers.flatMap(number => [
        `/api/v1/issues/${number}`,
        `/issues/${number}`,
      ]),
    ];
    const foreignNumbers = foreign.map(({ number }) => number);
    const refused = { open: [200, 200], required: [401, 403] }[reads]!;
    for (const [index, client] of [nobody, automation].entries()) {
      for (const way of waysTo([own.number, ...foreignNumbers])) {
        const { status, body } = await client.get(way);
        expect(status).toBe(refused[index]);
        const text = JSON.stringify(body);
        expect(text).not.toContain('Zanzibar');
        ids.forEach(id => expect(text).not.toContain(id));
      }
    }
    for (const way of waysTo(foreignNumbers)) {
      const { status, body } = await grace.get(way);
      expect(status).toBe(200);
      const text = JSON.stringify(body);
      expect(text.split('Zanzibar')).toHaveLength(
        way.startsWith('/api/v1/issues?') || way === '/api/v1/issues' ? 3 : 1,
      );
      foreign.forEach(({ id }) => expect(text).not.toContain(id));
    }
    expect(
      (await grace.get(`/api/v1/issues/${foreignNumbers[0]}`)).body,
    ).toEqual({
      number: foreignNumbers[0],
      title: 'Feedback on UI/UX',
      body: null,
      state: 'open',
      created_at: expect.any(String),
      closed_at: null,
      closed_by: null,
      feedback_id: null,
    });
    for (const client of [grace, ada]) {
      expect(
        (await client.get(`/api/v1/issues/${own.number}`)).body,
      ).toMatchObject({
        title: WORDS,
        body: expect.stringContaining(WORDS),
        feedback_id: own.id,
      });
      expect((await client.get(`/issues/${own.number}`)).body).toContain(WORDS);
    }
    await service.stop();
  });
});

it('marks unverified names of senders', async () => {
  const service = await startFeedback(portal());
  const { ada, grace, nobody, automation } = await clientsOf(service, portal());
  const user = { name: 'Grace', email: 'grace@example.org' };
  const message = 'I want to be promoted';
  await nobody.submit({ user, message });
  await automation.submit({ user, message });
  await grace.submit({ user, message });
  await automation.post('/api/v1/bot/messages', {
    text: message,
    user: { id: '42', name: 'Grace' },
  });
  const { body } = await ada.get('/api/v1/feedback');
  const shown = await Promise.all(
    body.feedback.map(
      async ({ id, user: listed }: { id: string; user: object }) => {
        const read = (await ada.get(`/api/v1/feedback/${id}`)).body;
        expect(read.user).toEqual(listed);
        return [read.source, read.user.name, read.user.verified];
      },
    ),
  );
  expect(shown.sort()).toEqual([
    ['api', 'Grace', false],
    ['api', 'Grace', false],
    ['api', 'grace', true],
    ['chat', 'Grace', true],
  ]);
  const mine = (await grace.get('/api/v1/feedback/mine')).body;
  expect(mine.feedback).toMatchObject([{ user: { verified: true } }]);
  await service.stop();
});

describe('the limit', () => {
  it('is 50 requests per minute and user, as reported in headers', async () => {
    const service = await startFeedback(portal(), {
      config: { rateLimit: { enabled: true } },
    });
    const { ada, grace, nobody } = await clientsOf(service, portal());
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
