import type { Service } from '@slipway/service-kit';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import {
  clientOf,
  startSpaceMetrics,
} from '../__testUtils__/startSpaceMetrics.ts';
import { spaceMetrics } from '../service.ts';

const WEEK_MS = 7 * 86_400_000;

describe.each(testDatabaseClients())('friction on %s', databaseClient => {
  let service: Service;
  let dispose: () => Promise<void>;
  let client: ReturnType<typeof clientOf>;
  let now: number;

  async function start(minimumGroupSize: number) {
    now = Date.parse('2026-11-20T12:00:00Z');
    const opened = await openTestDatabase(databaseClient, spaceMetrics);
    dispose = opened.dispose;
    service = await startSpaceMetrics({
      database: opened.database,
      config: { privacy: { minimumGroupSize } },
      now: () => now,
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
    description = `${category} of ${userId}`,
  ) =>
    client.send('POST', '/api/v1/friction-log/submit', {
      user_id: userId,
      team,
      category,
      description,
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
    });
    // In any order, without person, time and duration.
    expect(answer.items[1].texts).toHaveLength(2);
    expect(answer.items[1].texts).toEqual(
      expect.arrayContaining([
        { description: ' build  of ada' },
        { description: 'Build of ada' },
      ]),
    );
    expect((await top('limit=1')).items).toMatchObject([
      { category: 'testing', reporters: 2, time_lost_minutes: 101 },
    ]);
  });

  it('neither names nor quotes reports by too few people', async () => {
    await start(3);
    for (const person of ['a', 'b', 'c']) {
      await log(person, 'build', 10);
    }
    await log('a', 'my boss alan', 500);
    await log('b', 'testing', 5);
    expect((await top()).items).toEqual([]);
    now += WEEK_MS;
    const answer = await top();
    expect(answer.items).toHaveLength(1);
    expect(answer.items[0]).toMatchObject({
      category: 'build',
      reporters: 3,
      time_lost_minutes: 30,
    });
    expect(JSON.stringify(answer)).not.toMatch(/boss|testing/);
  });

  it('shows a text only once enough people wrote the same one', async () => {
    await start(3);
    for (const person of ['a', 'b', 'c']) {
      await log(person, 'build', 10, 'red', 'Slow CI');
      await log(person, 'build', 10);
    }
    await log('d', 'build', 10, 'red', 'Only d says this');
    await log('d', 'build', 10, 'red', 'slow ci ');
    now += WEEK_MS;
    const [item] = (await top()).items;
    expect(item).toMatchObject({ reporters: 4, entries: 8 });
    expect(item.texts).toEqual([
      { description: expect.stringMatching(/^slow ci$/i) },
    ]);
  });

  it('includes teams that are too small in the total', async () => {
    await start(3);
    await log('a', 'build', 10, 'red');
    await log('b', 'build', 10, 'blue');
    now += WEEK_MS;
    expect((await top('')).items).toEqual([]);
    await log('c', 'build', 10, 'green');
    expect((await top('')).items).toEqual([]);
    now += WEEK_MS;
    expect((await top('')).items).toMatchObject([
      { category: 'build', reporters: 3, time_lost_minutes: 30 },
    ]);
    expect((await top('team=blue')).items).toEqual([]);
  });
});
