import type { Service } from '@slipway/service-kit';
import { FakePortal } from '@slipway/service-kit/testing';
import { clientOf, startAnalytics } from '../__testUtils__/startAnalytics.ts';

const PORTAL_KEY = 'phc_test_portal_key';
const PORTAL_TOKEN = 'phx_test_portal_token';
const GROUPS = {
  'user:default/ada': ['group:default/platform-admins'],
  'user:default/lin': ['group:default/research'],
  'user:default/grace': ['group:default/payments'],
};

describe('the project of the portal', () => {
  let portal: FakePortal;
  let service: Service;
  let sessions: Record<string, Record<string, string>>;

  beforeAll(async () => {
    portal = await FakePortal.start({ groups: GROUPS });
    sessions = Object.fromEntries(
      await Promise.all(
        ['ada', 'lin', 'grace'].map(async name => {
          const token = await portal.token(`user:default/${name}`);
          return [name, { authorization: `Bearer ${token}` }] as const;
        }),
      ),
    );
    service = await startAnalytics({
      config: {
        portal: { baseUrl: portal.baseUrl },
        projects: [
          { id: 'shop', name: 'Shop' },
          {
            id: 'portal',
            name: 'Portal',
            keys: [{ name: 'pages', key: PORTAL_KEY }],
            apiTokens: [{ name: 'report', key: PORTAL_TOKEN }],
            readers: ['group:default/research'],
            hidesPeople: true,
          },
        ],
      },
    });
    await clientOf(service).batch(
      ['ada', 'ada', 'grace'].map(name => ({
        event: '$pageview',
        distinct_id: `pseudonym-of-${name}`,
        properties: {
          $pathname: '/catalog',
          $session_id: `session-of-${name}`,
          distinct_id: `pseudonym-of-${name}`,
        },
      })),
      PORTAL_KEY,
    );
  });

  afterAll(async () => {
    await service.stop();
    await portal.stop();
  });

  const ask = (query: object, headers: Record<string, string>) =>
    clientOf(service).post(
      '/api/projects/portal/query',
      { query: { kind: 'EventsQuery', ...query } },
      headers,
    );

  const get = async (url: string, headers: Record<string, string>) => {
    const response = await service.app.inject({ url, headers });
    return { status: response.statusCode, body: response.json() };
  };

  it('hides the shape of valid requests from unauthorized callers', async () => {
    const post = (path: string, name: string) =>
      clientOf(service).post(
        `/api/projects/portal/${path}`,
        { wrong: true },
        sessions[name],
      );
    for (const path of ['query', 'insights', 'dashboards']) {
      expect((await post(path, 'grace')).status).toBe(403);
      expect((await post(path, 'lin')).status).toBe(400);
    }
    const persons = { kind: 'PersonsNode' };
    expect((await ask(persons, sessions.grace)).status).toBe(403);
    expect((await ask(persons, sessions.lin)).status).toBe(400);
    const timeline = '/api/projects/portal/persons/x/events?limit=none';
    expect((await get(timeline, sessions.grace)).status).toBe(403);
    expect((await get(timeline, sessions.lin)).status).toBe(400);
    const missing = '/api/projects/none/export';
    expect((await get(missing, sessions.grace)).status).toBe(404);
  });

  it('can be read only by its readers and administrators', async () => {
    const question = { select: ['count()'] };
    for (const [name, status] of [
      ['ada', 200],
      ['lin', 200],
      ['grace', 403],
    ] as const) {
      const answer = await ask(question, sessions[name]);
      expect([name, answer.status]).toEqual([name, status]);
      const keys = await get(
        '/api/projects/portal/credentials',
        sessions[name],
      );
      expect([name, keys.status]).toEqual([name, status]);
    }
    const { body } = await get('/api/projects', sessions.grace);
    expect(body.projects.map(({ id }: { id: string }) => id)).toEqual(['shop']);
    const all = await get('/api/projects', sessions.ada);
    expect(all.body.projects).toMatchObject([
      { id: 'portal', hides_people: true },
      { id: 'shop', hides_people: false },
    ]);
  });

  it('counts users', async () => {
    const { body } = await ask(
      {
        select: [
          'properties.$pathname',
          'count()',
          'count(distinct distinct_id)',
        ],
      },
      sessions.ada,
    );
    expect(body.results).toEqual([['/catalog', 3, 2]]);
  });

  it('never reveals who did something', async () => {
    const bearer = { authorization: `Bearer ${PORTAL_TOKEN}` };
    for (const headers of [sessions.ada, bearer]) {
      for (const query of [
        { select: ['distinct_id', 'count()'] },
        { select: ['properties.distinct_id'] },
        { select: ['max(distinct_id)'] },
        { select: ['event'], where: ["distinct_id = 'pseudonym-of-ada'"] },
        { select: ['event'], where: ["properties.$session_id like '%ada'"] },
        { select: ['event'], orderBy: ['distinct_id'] },
        { select: ['count()'], where: ["min(distinct_id) = 'x'"] },
        {
          select: ['event'],
          properties: [{ key: 'distinct_id', value: 'pseudonym-of-ada' }],
        },
        {
          kind: 'HogQLQuery',
          query:
            "SELECT count() FROM events WHERE '/a' IN (SELECT properties.$session_id FROM events)",
        },
        {
          kind: 'HogQLQuery',
          query:
            'SELECT count() FROM events WHERE person_id IN (SELECT min(event) FROM events)',
        },
      ]) {
        expect([query, (await ask(query, headers)).status]).toEqual([
          query,
          403,
        ]);
      }
      const { status, body } = await ask(
        { select: ['*', 'properties', 'event'] },
        headers,
      );
      expect(status).toBe(200);
      expect(body.results).toHaveLength(3);
      expect(body.results[0][0]).toMatchObject({
        event: '$pageview',
        distinct_id: null,
        properties: { $pathname: '/catalog' },
      });
      expect(JSON.stringify(body)).not.toMatch(/-of-/);
    }
  });

  it('gives each user a pseudonym that others cannot derive', async () => {
    const own = async (name: string) =>
      (await get('/api/pseudonym', sessions[name])).body.distinct_id;
    const ada = await own('ada');
    expect(ada).toMatch(/^[\w-]{43}$/);
    expect(await own('ada')).toBe(ada);
    expect(await own('grace')).not.toBe(ada);
    expect((await get('/api/pseudonym', {})).status).toBe(401);
    // Another installation has other names.
    const other = await startAnalytics({
      config: { portal: { baseUrl: portal.baseUrl } },
    });
    const answer = await other.app.inject({
      url: '/api/pseudonym',
      headers: sessions.ada,
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.json().distinct_id).not.toBe(ada);
    await other.stop();
  });

  it('is created with its readers by administrators', async () => {
    const payload = { id: 'secret', name: 'Secret', readers: [] };
    const made = await service.app.inject({
      method: 'POST',
      url: '/api/projects',
      headers: sessions.ada,
      payload,
    });
    expect(made.statusCode).toBe(201);
    expect(
      (await get('/api/projects/secret/credentials', sessions.lin)).status,
    ).toBe(403);
  });
});
