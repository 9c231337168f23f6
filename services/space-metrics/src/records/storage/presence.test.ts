import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import type { Knex } from 'knex';
import {
  clientOf,
  startSpaceMetrics,
} from '../../__testUtils__/startSpaceMetrics.ts';
import { spaceMetrics } from '../../service.ts';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-11-20T12:00:00Z');

/** Computes the expected spans from the events. */
async function spansOfEvents(knex: Knex): Promise<object[]> {
  const rows: { kind: string; team: string; day: number; person: number }[] =
    await knex('activity_events').select('kind', 'team', 'day', 'person');
  const spans = new Map<string, Set<number>>();
  for (const { kind, team, day, person } of rows) {
    const subject = kind === 'commit' ? 'activity' : 'collaboration';
    for (const scope of [team, '*']) {
      const key = JSON.stringify([
        subject,
        scope,
        Math.floor(day / 31),
        person,
      ]);
      spans.set(key, (spans.get(key) ?? new Set()).add(day % 31));
    }
  }
  const made = [...spans].map(([key, bits]) => {
    const [subject, team, span, person] = JSON.parse(key);
    const days = [...bits].reduce((sum, bit) => sum + 2 ** bit, 0);
    return { subject, team, span, person, days };
  });
  return made.sort(
    (a, b) =>
      compare(a.subject, b.subject) ||
      compare(a.team, b.team) ||
      a.span - b.span ||
      a.person - b.person,
  );
}

function compare(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  return a < b ? -1 : 1;
}

it.each(testDatabaseClients())(
  'keeps spans on %s consistent with the days',
  async databaseClient => {
    const { database, dispose } = await openTestDatabase(
      databaseClient,
      spaceMetrics,
    );
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
      const rows = (await kept()).filter(({ days }) => days !== 0);
      expect(rows).toEqual(await spansOfEvents(database.knex));
      return rows.length;
    };

    await client.events(events.slice(60));
    await client.events(events.slice(0, 90));
    await client.send('DELETE', '/api/v1/people/user-3');
    const before = await expectAsMade();
    expect(before).toBeGreaterThan(20);

    // Expired days are removed from the middle of a span when the service starts.
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
