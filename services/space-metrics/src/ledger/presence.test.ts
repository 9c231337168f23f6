import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import {
  clientOf,
  startSpaceMetrics,
} from '../__testUtils__/startSpaceMetrics.ts';
import { down, up } from '../../migrations/20261121150000_presence_spans.ts';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-11-20T12:00:00Z');

it.each(testDatabaseClients())(
  'keeps spans on %s as they would be made of the days, whoever comes and goes',
  async databaseClient => {
    const { database, dispose } = await openTestDatabase(databaseClient);
    let now = START;
    const service = await startSpaceMetrics({
      database,
      now: () => now,
      config: { privacy: { retentionDays: 40 } },
    });
    const client = clientOf(service);
    const events = Array.from({ length: 120 }, (_, number) => ({
      id: `event-${number}`,
      kind: number % 3 ? 'commit' : 'review',
      user_id: `user-${number % 7}`,
      team: `team-${number % 2}`,
      timestamp: new Date(START - (number % 70) * DAY_MS).toISOString(),
    }));
    const kept = () =>
      database
        .knex('presence_spans')
        .orderBy(['subject', 'team', 'span', 'person']);
    const expectAsMade = async () => {
      const rows = await kept();
      await down(database.knex);
      await up(database.knex);
      expect(rows).toEqual(await kept());
      return rows.length;
    };

    await client.events(events.slice(60));
    await client.events(events.slice(0, 90));
    await client.send('DELETE', '/api/v1/people/user-3');
    const before = await expectAsMade();
    expect(before).toBeGreaterThan(20);

    // What is too old goes from the middle of a span when the service starts.
    now += 5 * DAY_MS;
    await service.start();
    await vi.waitFor(async () => {
      expect((await kept()).length).toBeLessThan(before);
    });
    await expectAsMade();
    await service.stop();
    await dispose();
  },
);
