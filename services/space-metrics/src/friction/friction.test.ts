import type { Service } from '@slipway/service-kit';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import {
  clientOf,
  startSpaceMetrics,
} from '../__testUtils__/startSpaceMetrics.ts';

describe.each(testDatabaseClients())('friction on %s', databaseClient => {
  let service: Service;
  let dispose: () => Promise<void>;
  let client: ReturnType<typeof clientOf>;

  async function start(minimumGroupSize: number) {
    const opened = await openTestDatabase(databaseClient);
    dispose = opened.dispose;
    service = await startSpaceMetrics({
      database: opened.database,
      config: { privacy: { minimumGroupSize } },
    });
    client = clientOf(service);
  }

  afterEach(async () => {
    await service.stop();
    await dispose();
  });

  const log = (
    userId: string,
    category: string,
    minutes: number,
    team = 'red',
  ) =>
    client.send('POST', '/api/v1/friction-log/submit', {
      user_id: userId,
      team,
      category,
      description: `${category} of ${userId}`,
      severity: 'medium',
      time_lost_minutes: minutes,
    });
  const top = async (query = 'team=red') =>
    (await client.get(`/api/v1/friction-log/top?${query}`)).body;

  it('ranks by time lost and counts different people', async () => {
    await start(1);
    await log('ada', 'Build', 10);
    await log('ada', ' build ', 20);
    await log('grace', 'testing', 100);
    await log('alan', 'testing', 1, 'blue');
    const answer = await top();
    expect(answer).toMatchObject({
      team: 'red',
      items: [
        {
          category: 'testing',
          entries: 1,
          reporters: 1,
          time_lost_minutes: 100,
        },
        { category: 'build', entries: 2, reporters: 1, time_lost_minutes: 30 },
      ],
      withheld: { categories: 0, entries: 0 },
    });
    expect(answer.items[1].texts).toEqual([
      {
        severity: 'medium',
        time_lost_minutes: 20,
        description: ' build  of ada',
      },
      {
        severity: 'medium',
        time_lost_minutes: 10,
        description: 'Build of ada',
      },
    ]);
    expect((await top('limit=1')).items).toMatchObject([
      { category: 'testing', reporters: 2, time_lost_minutes: 101 },
    ]);
  });

  it('neither names nor quotes what too few reported', async () => {
    await start(3);
    for (const person of ['a', 'b', 'c']) {
      await log(person, 'build', 10);
    }
    await log('a', 'my boss alan', 500);
    await log('b', 'testing', 5);
    const answer = await top();
    expect(answer.items).toHaveLength(1);
    expect(answer.items[0]).toMatchObject({
      category: 'build',
      reporters: 3,
      time_lost_minutes: 30,
    });
    expect(answer.withheld).toEqual({ categories: 2, entries: 2 });
    expect(JSON.stringify(answer)).not.toContain('boss');
  });

  it('shows in the total what teams are too small for by themselves', async () => {
    await start(3);
    await log('a', 'build', 10, 'red');
    await log('b', 'build', 10, 'blue');
    expect((await top('')).items).toEqual([]);
    await log('c', 'build', 10, 'green');
    expect((await top('')).items).toMatchObject([
      { category: 'build', reporters: 3, time_lost_minutes: 30 },
    ]);
    expect((await top('team=blue')).items).toEqual([]);
  });
});
