import type { Service } from '@slipway/service-kit';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import {
  clientOf,
  startSpaceMetrics,
} from '../__testUtils__/startSpaceMetrics.ts';

describe.each(testDatabaseClients())('small groups on %s', databaseClient => {
  let service: Service;
  let dispose: () => Promise<void>;
  let client: ReturnType<typeof clientOf>;

  beforeEach(async () => {
    const opened = await openTestDatabase(databaseClient);
    dispose = opened.dispose;
    service = await startSpaceMetrics({
      database: opened.database,
      config: { privacy: { minimumGroupSize: 5 } },
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

  it('have counts and no values', async () => {
    await submit(['a', 'b', 'c'], 4, 'red');
    const data = await satisfaction('?team=red');
    expect(data).toMatchObject({
      enps_score: null,
      avg_rating: null,
      response_count: 3,
      nps_breakdown: { promoters: null, passives: null, detractors: null },
      suppressed: true,
      minimum_group_size: 5,
      samples: { people: 3 },
      trend: 'stable',
    });
    expect(data.series.at(-1)).toMatchObject({
      avg_rating: null,
      response_count: 3,
    });
    const { body } = await client.get('/api/v1/metrics/space?team=red');
    expect(body.metrics.satisfaction).toEqual({
      enps_score: null,
      avg_rating: null,
      response_count: 3,
    });
    // Nothing hidden where there is nothing.
    expect(body.metrics.activity).toEqual({
      commits_per_week: 0,
      prs_merged: 0,
      active_days: 0,
    });
  });

  it('are shown once they are no longer small', async () => {
    await submit(['a', 'b', 'c', 'd'], 4, 'red');
    // The same people again are no more people.
    await submit(['a', 'b'], 4, 'red');
    expect(await satisfaction('?team=red')).toMatchObject({ avg_rating: null });
    await submit(['e'], 1, 'red');
    expect(await satisfaction('?team=red')).toMatchObject({
      avg_rating: 3.57,
      response_count: 7,
      suppressed: false,
    });
  });

  it('are no part of a total from which they could be worked out', async () => {
    await submit(['a', 'b', 'c', 'd', 'e'], 5, 'red');
    await submit(['f', 'g'], 1, 'blue');
    expect(await satisfaction()).toMatchObject({
      avg_rating: 5,
      response_count: 7,
      suppressed: true,
    });
    await submit(['h', 'i', 'j'], 2, 'green');
    expect(await satisfaction()).toMatchObject({
      avg_rating: 3.3,
      response_count: 10,
      suppressed: false,
    });
    expect(await satisfaction('?team=green')).toMatchObject({
      avg_rating: null,
    });
  });

  it('have no series in the exposition', async () => {
    const events = (people: string[], team: string) =>
      people.map(person => ({
        id: `${team}-${person}`,
        kind: 'commit',
        user_id: person,
        team,
      }));
    await client.events([
      ...events(['a', 'b', 'c', 'd', 'e'], 'red'),
      ...events(['f', 'g'], 'blue'),
    ]);
    await submit(['f', 'g'], 1, 'blue');
    const scrape = async () => (await service.app.inject('/metrics')).body;
    const body = await scrape();
    expect(body).toContain(
      'space_metrics_activity_commits_total{team="red"} 5',
    );
    expect(body).not.toContain('team="blue"');
  });

  it('are cut anew when the minimum changes', async () => {
    await submit(['a', 'b', 'c'], 4, 'red');
    expect(await satisfaction('?team=red')).toMatchObject({ avg_rating: null });
    await service.stop();
    await dispose();
    const opened = await openTestDatabase(databaseClient);
    dispose = opened.dispose;
    const start = (minimumGroupSize: number) =>
      startSpaceMetrics({
        database: opened.database,
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
