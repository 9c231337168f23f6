import type { Database, Service } from '@slipway/service-kit';
import {
  FakePortal,
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import {
  clientOf,
  startSpaceMetrics,
} from '../__testUtils__/startSpaceMetrics.ts';
import { spaceMetrics } from '../service.ts';

/** A Friday; the pulse cycle closes at the end of the 29th, a week at the end of the 22nd. */
const START = Date.parse('2026-11-20T12:00:00Z');
const CYCLE_MS = 14 * 86_400_000;
const SURVEY = '/api/v1/surveys/pulse/submit';
const MALLORY = 'user:default/mallory';

describe.each(testDatabaseClients())('through HTTP, on %s', databaseClient => {
  let now: number;
  let portal: FakePortal;
  let service: Service;
  let database: Database;
  let dispose: () => Promise<void>;
  let client: ReturnType<typeof clientOf>;

  async function start(minimumGroupSize: number) {
    now = START;
    portal = await FakePortal.start();
    ({ database, dispose } = await openTestDatabase(
      databaseClient,
      spaceMetrics,
    ));
    service = await startSpaceMetrics({
      database,
      now: () => now,
      config: {
        portal: { baseUrl: portal.baseUrl },
        privacy: { minimumGroupSize },
        exposition: { everySeconds: 0 },
        cacheSeconds: 0,
      },
    });
    client = clientOf(service);
  }

  afterEach(async () => {
    await service.stop();
    await portal.stop();
    await dispose();
  });

  /** Sends a request as a signed-in user. */
  async function as(
    user: string,
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    payload?: object,
  ) {
    // Valid for longer than the cycles that pass in the tests.
    const token = await portal.token(user, { expiresIn: 90 * 86_400 });
    const response = await service.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}` },
      payload,
    });
    expect(response.statusCode).toBeLessThan(300);
    return { status: response.statusCode, body: response.json() };
  }

  const answer = (user: string, rating: number, claims: object = {}) =>
    as(user, 'POST', SURVEY, {
      user_id: user,
      ...claims,
      responses: { overall_satisfaction: rating, productivity_this_week: 3 },
    });

  /** Collects everything that readers see, for each team and day. */
  async function everything(): Promise<unknown[]> {
    const queries = ['', '&team=red', '&team=blue'].flatMap(team =>
      [
        'start_date=2026-10-01&end_date=2026-12-31&granularity=daily',
        'start_date=2026-11-20&end_date=2026-11-20',
      ].map(period => `${period}${team}`),
    );
    const urls = queries.flatMap(query => [
      `/api/v1/metrics/space?${query}`,
      ...['satisfaction', 'activity', 'communication', 'efficiency'].map(
        dimension => `/api/v1/metrics/space/${dimension}?${query}`,
      ),
      `/api/v1/friction-log/top?${query}`,
    ]);
    const answers = await Promise.all(
      ['/api/v1/teams', ...urls].map(async url => {
        const { body } = await client.get(url);
        // Removed, because they only depend on the calendar.
        delete body.data?.weeks;
        return body;
      }),
    );
    const { body } = await service.app.inject('/metrics');
    const exposed = body
      .split('\n')
      .filter(line => line.startsWith('space_metrics_'));
    return [...answers, exposed];
  }

  it('a session cannot choose time, person or team of its answer', async () => {
    await start(1);
    const claims = {
      user_id: 'grace',
      team: 'red',
      timestamp: '2026-09-01T00:00:00Z',
    };
    expect((await answer(MALLORY, 1, claims)).status).toBe(201);
    await as(MALLORY, 'POST', '/api/v1/friction-log/submit', {
      ...claims,
      category: 'build',
      description: 'Slow',
      severity: 'low',
      time_lost_minutes: 5,
    });
    const { body } = await as(
      MALLORY,
      'GET',
      `/api/v1/people/${encodeURIComponent(MALLORY)}`,
    );
    const stored = { team: '', timestamp: '2026-11-20T12:00:00.000Z' };
    expect(body.surveys).toMatchObject([stored]);
    expect(body.friction_logs).toMatchObject([stored]);
  });

  it('twenty answers of a session count as one, immediately if groups are not hidden', async () => {
    await start(1);
    await client.survey('ada', 5);
    for (let count = 0; count < 20; count += 1) {
      await answer(MALLORY, 1);
    }
    await answer(MALLORY, 4);
    const read = async () =>
      (await client.get('/api/v1/metrics/space')).body.metrics.satisfaction;
    expect(await read()).toEqual({
      enps_score: 50,
      avg_rating: 4.5,
      response_count: 2,
    });
    expect(await database.knex('pulse_surveys')).toHaveLength(2);
    now += CYCLE_MS;
    await answer(MALLORY, 1);
    expect(await read()).toMatchObject({ response_count: 3 });
  });

  it('nothing changes before the cycle closes, whatever anyone does', async () => {
    await start(5);
    const people = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const person of people) {
      await client.survey(person, 5, { team: 'red' });
    }
    now += CYCLE_MS;
    const released = await everything();
    expect(JSON.stringify(released)).toContain('"response_count":6');

    await answer(MALLORY, 1, { team: 'red', timestamp: '2026-11-20' });
    expect(await everything()).toEqual(released);
    await client.survey('g', 1, { team: 'red' });
    await client.survey('g', 1, { team: 'a team of my own' });
    for (const person of people.slice(0, 5)) {
      // Queried after each answer, including the fifth.
      await client.survey(person, 2, { team: 'red' });
      expect(await everything()).toEqual(released);
    }
    await client.send('POST', '/api/v1/friction-log/submit', {
      user_id: 'a',
      team: 'red',
      category: 'my boss alan',
      description: 'He never listens',
      severity: 'high',
      time_lost_minutes: 60,
    });
    await client.events([
      { id: '1', kind: 'commit', user_id: 'a', team: 'blue' },
      { id: '2', kind: 'chat_message', user_id: 'a', team: 'blue', count: 9 },
    ]);
    expect(await everything()).toEqual(released);
    await as(
      MALLORY,
      'DELETE',
      `/api/v1/people/${encodeURIComponent(MALLORY)}`,
    );
    expect(await everything()).toEqual(released);
  });

  it('erased people disappear from records at once, and from numbers with the next cycle', async () => {
    await start(5);
    const people = ['a', 'b', 'c', 'd', 'e', 'victim'];
    for (const person of people) {
      await client.survey(person, person === 'victim' ? 1 : 5, { team: 'red' });
    }
    now += CYCLE_MS;
    const released = await everything();
    await client.send('DELETE', '/api/v1/people/victim');
    expect(await database.knex('pulse_surveys')).toHaveLength(5);
    expect(await everything()).toEqual(released);
    now += 7 * 86_400_000;
    // The whole group is withdrawn, because the difference would reveal one person's answer.
    const query = 'team=red&start_date=2026-10-01&end_date=2026-12-31';
    const { body } = await client.get(`/api/v1/metrics/space?${query}`);
    expect(body.metrics.satisfaction).toEqual({
      enps_score: null,
      avg_rating: null,
      response_count: 0,
    });
  });

  it('unknown names on commits form no group, and are not stored', async () => {
    await start(5);
    const author = (name: string) => ({ name, username: name });
    await client.github('push', {
      ref: 'refs/heads/main',
      repository: { full_name: 'mallory/tools', default_branch: 'main' },
      commits: ['victim', 'one', 'two', 'three', 'four'].map(
        (name, number) => ({
          id: `sha-${number}`,
          message: 'Change it',
          author: author(name),
        }),
      ),
    });
    await client.github('pull_request_review', {
      action: 'submitted',
      repository: { full_name: 'mallory/tools' },
      review: { id: 1, user: { login: 'victim' }, state: 'approved', body: '' },
    });
    expect(await database.knex('activity_events')).toHaveLength(6);
    expect(JSON.stringify(await database.knex('activity_events'))).not.toMatch(
      /victim|mallory/,
    );
    const nothing = await everything();
    now += CYCLE_MS;
    expect(await everything()).toEqual(nothing);
  });

  it('at most a thousand unknown teams are accepted', async () => {
    await start(5);
    const events = Array.from({ length: 1_000 }, (_, number) => ({
      id: String(number),
      kind: 'commit',
      team: `team-${number}`,
    }));
    expect((await client.events(events)).body.accepted).toBe(1_000);
    expect(await client.survey('a', 3, { team: 'one-more' })).toMatchObject({
      status: 400,
      body: { error: { details: { field: 'team', constraint: 'enum' } } },
    });
    expect((await client.survey('a', 3, { team: 'team-7' })).status).toBe(201);
  });
});
