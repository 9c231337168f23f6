import type { Database, Service } from '@slipway/service-kit';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import {
  clientOf,
  startSpaceMetrics,
} from '../__testUtils__/startSpaceMetrics.ts';
import { spaceMetrics } from '../service.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

describe.each(testDatabaseClients())('activity on %s', databaseClient => {
  let service: Service;
  let client: ReturnType<typeof clientOf>;
  let database: Database;
  let dispose: () => Promise<void>;

  beforeEach(async () => {
    ({ database, dispose } = await openTestDatabase(
      databaseClient,
      spaceMetrics,
    ));
    service = await startSpaceMetrics({
      database,
      now: () => NOW,
    });
    client = clientOf(service);
  });

  afterEach(async () => {
    await service.stop();
    await dispose();
  });

  const week = 'start_date=2026-11-14&end_date=2026-11-20&team=red';
  const read = async (dimension: string, query = week) =>
    (await client.get(`/api/v1/metrics/space/${dimension}?${query}`)).body.data;
  const commit = (id: string, day: string, userId: string) => ({
    id,
    kind: 'commit',
    user_id: userId,
    team: 'red',
    timestamp: `${day}T09:00:00Z`,
  });

  it('counts by the week, by the day and by the person', async () => {
    const { status, body } = await client.events([
      commit('1', '2026-11-16', 'ada'),
      commit('2', '2026-11-16', 'ada'),
      commit('3', '2026-11-17', 'ada'),
      commit('4', '2026-11-18', 'grace'),
      { ...commit('5', '2026-11-18', 'grace'), kind: 'pull_request_merged' },
      // Outside the week.
      commit('6', '2026-11-13', 'ada'),
    ]);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'success',
      accepted: 6,
      duplicates: 0,
      rejected: 0,
    });
    expect(await read('activity')).toMatchObject({
      commits_per_week: 4,
      prs_merged: 1,
      active_days: 1.5,
      samples: { people: 2, commits: 4 },
      trend: 'improving',
    });
    const twoWeeks = 'start_date=2026-11-07&end_date=2026-11-20&team=red';
    expect(await read('activity', twoWeeks)).toMatchObject({
      commits_per_week: 2.5,
    });
  });

  it('counts partial weeks of a series as rates, without future days', async () => {
    await client.events([commit('1', '2026-11-19', 'ada')]);
    const data = await read(
      'activity',
      'start_date=2026-11-12&end_date=2026-11-30&team=red',
    );
    expect(
      data.series.map(
        (part: { commits_per_week: number }) => part.commits_per_week,
      ),
      // From Monday to Friday, today, is five days.
    ).toEqual([0, 1.4, 0, 0]);
  });

  it('counts an event once, despite repeated and concurrent deliveries', async () => {
    const event = commit('1', '2026-11-16', 'ada');
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => client.events([event, event])),
    );
    const accepted = answers.map(({ body }) => body.accepted);
    expect(accepted.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(answers.flatMap(({ body }) => body.results)).toHaveLength(16);
    await client.events([event], 'another source');
    expect(await read('activity')).toMatchObject({ commits_per_week: 2 });
  });

  it('reports the result for each element', async () => {
    const { status, body } = await client.events([
      commit('1', '2026-11-16', 'ada'),
      { id: '2', kind: 'dance' },
      { kind: 'commit' },
      { id: '3', kind: 'build' },
      { id: '4', kind: 'commit', timestamp: '2031-01-01' },
      [],
      { id: '5', kind: 'commit', timestamp: null, count: null, result: null },
    ]);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'partial', accepted: 2, rejected: 5 });
    expect(
      body.results.map(
        ({ id, status: each, error }: Record<string, any>) =>
          [id, each, error?.field] as const,
      ),
    ).toEqual([
      ['1', 'accepted', undefined],
      ['2', 'rejected', 'kind'],
      [undefined, 'rejected', 'id'],
      ['3', 'rejected', 'result'],
      ['4', 'rejected', 'timestamp'],
      [undefined, 'rejected', 'item'],
      ['5', 'accepted', undefined],
    ]);
    expect(body.results[1].error.message).toMatch(
      /^kind must be one of commit, /,
    );
    const tooMany = Array.from({ length: 1_001 }, (_, id) => ({
      id: String(id),
      kind: 'commit',
    }));
    expect((await client.events(tooMany)).status).toBe(400);
  });

  it('rates builds, ignoring aborted ones', async () => {
    await client.events(
      ['SUCCESS', 'SUCCESS', 'SUCCESS', 'FAILURE', 'UNSTABLE', 'ABORTED'].map(
        (result, id) => ({
          id: `build-${id}`,
          kind: 'build',
          team: 'red',
          timestamp: '2026-11-18T10:00:00Z',
          result,
        }),
      ),
    );
    expect(await read('performance')).toMatchObject({
      build_success_rate: 0.6,
      samples: { builds: 5 },
    });
  });

  it('counts chat messages without storing their content', async () => {
    const { body } = await client.send('POST', '/api/v1/activity/chat', {
      source: 'mattermost',
      counts: [
        {
          id: 'town-square 2026-11-18',
          team: 'red',
          timestamp: '2026-11-18T23:00:00Z',
          messages: 120,
          people: 9,
          text: 'a secret',
        },
        { id: 'ada', user_id: 'ada', team: 'red', messages: 3 },
      ],
    });
    expect(body).toMatchObject({ accepted: 2 });
    await client.events([
      { ...commit('1', '2026-11-18', 'ada'), kind: 'review' },
      { ...commit('2', '2026-11-18', 'ada'), kind: 'pull_request_comment' },
      { ...commit('3', '2026-11-18', 'ada'), kind: 'docs_update' },
    ]);
    expect(await read('communication')).toMatchObject({
      chat_messages: 123,
      pr_comments: 2,
      docs_updates: 1,
    });
    const stored = JSON.stringify(await database.knex('activity_events'));
    expect(stored).toContain('mattermost');
    expect(stored).not.toContain('secret');
  });

  it('updates past days with late data', async () => {
    await client.events([commit('1', '2026-11-18', 'ada')]);
    expect(await read('activity')).toMatchObject({ commits_per_week: 1 });
    await client.events([commit('2', '2026-11-15', 'grace')]);
    expect(await read('activity')).toMatchObject({
      commits_per_week: 2,
      samples: { people: 2 },
    });
  });

  it('accepts a full batch with as many people and teams', async () => {
    const events = Array.from({ length: 1_000 }, (_, number) => ({
      ...commit(String(number), '2026-11-18', `user-${number}`),
      team: `team-${number}`,
    }));
    expect((await client.events(events)).body).toMatchObject({
      accepted: 1_000,
    });
    expect(await read('activity', 'start_date=2026-11-14')).toMatchObject({
      commits_per_week: 1_000,
      samples: { people: 1_000 },
    });
    const years = 'start_date=2024-03-01&granularity=daily';
    expect((await read('activity', years)).series.length).toBeGreaterThan(900);
  });

  it('lists teams that have data', async () => {
    await client.events([commit('1', '2026-11-18', 'ada')]);
    await client.survey('grace', 4, { team: 'group:default/Blue' });
    expect((await client.get('/api/v1/teams')).body).toEqual({
      teams: [{ name: 'blue' }, { name: 'red' }],
    });
  });
});
