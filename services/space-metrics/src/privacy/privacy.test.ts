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

/** A Friday; the pulse cycle closes at the end of the 29th, a week at the end of the 22nd. */
const START = Date.parse('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const CYCLE_MS = 2 * WEEK_MS;

describe.each(testDatabaseClients())('small groups on %s', databaseClient => {
  let now: number;
  let service: Service;
  let database: Database;
  let dispose: () => Promise<void>;
  let client: ReturnType<typeof clientOf>;

  beforeEach(async () => {
    now = START;
    ({ database, dispose } = await openTestDatabase(
      databaseClient,
      spaceMetrics,
    ));
    service = await startSpaceMetrics({
      database,
      now: () => now,
      config: {
        privacy: { minimumGroupSize: 5 },
        exposition: { everySeconds: 0 },
      },
    });
    client = clientOf(service);
  });

  afterEach(async () => {
    await service.stop();
    await dispose();
  });

  const satisfaction = async (query = '') =>
    (await client.get(`/api/v1/metrics/space/satisfaction${query}`)).body.data;
  const submit = (people: string[], rating: number, team: string) =>
    Promise.all(people.map(person => client.survey(person, rating, { team })));

  it('have neither values nor counts, as if there were nothing', async () => {
    const nothing = await satisfaction('?team=red');
    await submit(['a', 'b', 'c'], 4, 'red');
    now += CYCLE_MS;
    const data = await satisfaction('?team=red');
    expect(data).toMatchObject({
      enps_score: null,
      avg_rating: null,
      response_count: 0,
      nps_breakdown: { promoters: null, passives: null, detractors: null },
      suppressed: true,
      minimum_group_size: 5,
      samples: { people: 0, responses: 0 },
      trend: 'stable',
    });
    now -= CYCLE_MS;
    expect(await satisfaction('?team=red')).toEqual(nothing);
    const { body } = await client.get('/api/v1/metrics/space?team=red');
    expect(body.metrics.satisfaction).toEqual({
      enps_score: null,
      avg_rating: null,
      response_count: 0,
    });
    expect((await client.get('/api/v1/teams')).body.teams).toEqual([]);
  });

  it('are shown once they are no longer small and the cycle is over', async () => {
    await submit(['a', 'b', 'c', 'd'], 4, 'red');
    // The same people are not counted again, and their last answer counts.
    await submit(['a', 'b'], 3, 'red');
    await submit(['e'], 1, 'red');
    expect(await satisfaction('?team=red')).toMatchObject({ avg_rating: null });
    now += CYCLE_MS;
    expect(await satisfaction('?team=red')).toMatchObject({
      avg_rating: 3,
      response_count: 5,
      nps_breakdown: { promoters: 0, passives: 2, detractors: 3 },
      samples: { people: 5, responses: 5 },
      suppressed: false,
    });
    expect((await client.get('/api/v1/teams')).body.teams).toEqual([
      { name: 'red' },
    ]);
  });

  it('wait for newcomers of the next cycle', async () => {
    await submit(['a', 'b', 'c', 'd'], 4, 'red');
    now += CYCLE_MS;
    await submit(['a', 'b', 'c', 'd'], 2, 'red');
    now += CYCLE_MS;
    expect(await satisfaction('?team=red')).toMatchObject({ avg_rating: null });
    await submit(['e'], 4, 'red');
    now += CYCLE_MS;
    expect(await satisfaction('?team=red')).toMatchObject({
      avg_rating: 3.11,
      response_count: 9,
      samples: { people: 5 },
    });
  });

  it('are not part of a total from which they could be derived', async () => {
    await submit(['a', 'b', 'c', 'd', 'e'], 5, 'red');
    await submit(['f', 'g'], 1, 'blue');
    now += CYCLE_MS;
    expect(await satisfaction()).toMatchObject({
      avg_rating: 5,
      response_count: 5,
    });
    await submit(['h', 'i', 'j'], 2, 'green');
    now += CYCLE_MS;
    expect(await satisfaction('?start_date=2026-11-01')).toMatchObject({
      avg_rating: 3.3,
      response_count: 10,
    });
    expect(await satisfaction('?team=green')).toMatchObject({
      avg_rating: null,
    });
  });

  it('have no series in the exposition, and counters rise with releases', async () => {
    const events = (people: string[], team: string, number = 1) =>
      people.map(person => ({
        id: `${team}-${person}-${number}`,
        kind: 'commit',
        user_id: person,
        team,
      }));
    const scrape = async () => {
      const { body } = await service.app.inject('/metrics');
      return body
        .split('\n')
        .filter(line => /^space_metrics.*team=/.test(line));
    };
    await client.events([
      ...events(['a', 'b', 'c', 'd', 'e'], 'red'),
      ...events(['f', 'g'], 'blue'),
    ]);
    await submit(['f', 'g'], 1, 'blue');
    expect(await scrape()).toEqual([]);
    now += WEEK_MS;
    expect(await scrape()).toEqual([
      'space_metrics_activity_commits_total{team="red"} 5',
    ]);
    await client.events(events(['a'], 'red', 2));
    now += WEEK_MS;
    expect(await scrape()).toEqual([
      'space_metrics_activity_commits_total{team="red"} 5',
    ]);
  });

  it('with the same numbers match live ones', async () => {
    const people = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const [index, person] of people.entries()) {
      await client.survey(person, (index % 5) + 1, {
        team: 'red',
        ...(index % 2 && { recommend: index + 5 }),
      });
      await client.send('POST', '/api/v1/cognitive-load/submit', {
        user_id: person,
        team: 'red',
        task: 'A task',
        scores: {
          mental_demand: 10 * index,
          physical_demand: 5,
          temporal_demand: 33.3,
          performance: 2,
          effort: 100,
          frustration: index,
        },
      });
      await client.events(
        [
          'commit',
          'commit',
          'pull_request_merged',
          'review',
          'docs_update',
          'chat_message',
        ].map((kind, number) => ({
          id: `${person}-${number}`,
          kind,
          user_id: person,
          team: 'red',
          timestamp: new Date(START - number * DAY_MS).toISOString(),
          count: kind === 'chat_message' ? 7 : 1,
        })),
      );
    }
    now += CYCLE_MS;
    const query = 'team=red&start_date=2026-11-09&end_date=2026-11-29';
    const read = async (from: ReturnType<typeof clientOf>) =>
      (await from.get(`/api/v1/metrics/space?${query}`)).body.metrics;
    const released = await read(client);
    expect(released.satisfaction.response_count).toBe(6);
    const open = await startSpaceMetrics({ database, now: () => now });
    const live = await read(clientOf(open));
    // No one joined, so there is nothing to hide, and nothing was released.
    expect(released).toEqual({
      ...live,
      efficiency: { ...live.efficiency, time_to_first_commit_hours: null },
    });
    await open.stop();
  });

  it('do not change when the minimum changes, or are hidden', async () => {
    await service.stop();
    await dispose();
    const opened = await openTestDatabase(databaseClient, spaceMetrics);
    dispose = opened.dispose;
    const start = (minimumGroupSize: number) =>
      startSpaceMetrics({
        database: opened.database,
        now: () => now,
        config: { privacy: { minimumGroupSize } },
      });
    for (const [minimum, rating] of [
      [1, 4],
      [3, 4],
      [4, null],
      [2, 4],
    ] as const) {
      service = await start(minimum);
      client = clientOf(service);
      if (minimum === 1) {
        await submit(['a', 'b', 'c'], 4, 'red');
        now += CYCLE_MS;
      }
      expect(await satisfaction('?team=red')).toMatchObject({
        avg_rating: rating,
      });
      if (minimum !== 2) {
        await service.stop();
      }
    }
  });
});
